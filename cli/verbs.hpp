// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace CLI {
class App;
}

namespace millrace::cli {

/// Each adds its verb to the program; when it is chosen it sets `status` to how it ended.
void add_run(CLI::App& program, int& status);
void add_check(CLI::App& program, int& status);
void add_plan(CLI::App& program, int& status);
void add_stages(CLI::App& program, int& status);

}  // namespace millrace::cli
