// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace millrace::testing {

/// Ends the threads that oneTBB keeps for the next parallel work, for a look at what is left. They
/// come again when they are needed. Not while such work is under way; never throws.
void end_tbb_workers() noexcept;

}  // namespace millrace::testing
