// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "millrace/catalogue.hpp"
#include "millrace/pipeline.hpp"

namespace millrace::test {

/// Stages that do nothing but have options, kinds and demands: test_source, test_images,
/// test_decode, test_encode, test_render, test_resize, test_gray, test_ocr, test_write,
/// test_show, test_read_text, test_picky and test_closed (whose plugin cannot be opened).
const Catalogue& fake_catalogue();

/// What the fakes were told by accept() and asked for, as tests look at it.
struct FakeStage : Stage {
  std::optional<Demand> accepted;
};

/// The fake behind a stage of a plan, and the plan's stage of an id; both throw when there is none.
const FakeStage& fake(const PlannedStage& stage);
const PlannedStage& stage_of(const Plan& plan, const std::string& id);

/// An option as the stage has it after the file was read.
std::string option_of(const PlannedStage& stage, const std::string& option);

/// load_pipeline() with the fakes; `text` is called "p.yaml".
LoadResult load_fake(const std::string& text, const std::map<std::string, std::string>& sets = {});

/// The plan of a file of these stages, with `top` above them. Fails the test when there is none.
Plan plan(const std::string& stages, const std::string& top = "");

/// Ids of a plan's stages, and of those that a stage reads from, with spaces between.
std::string ids_of(const Plan& plan, const std::vector<std::size_t>& stages);
std::string inputs(const Plan& plan, const std::string& id);

/// All the diagnostics as a user would see them.
std::string told(const LoadResult& result, const std::string& text);

}  // namespace millrace::test
