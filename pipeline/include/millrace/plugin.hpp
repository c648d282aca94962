// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "millrace/catalogue.hpp"

namespace millrace::inline v1 {

/// Puts the stages that plugins offer into the catalogue, from the manifests beside their
/// libraries; nothing is opened. A library is opened when the first stage of it is made: in a
/// process of its own first, unless that went well before, so that one which crashes or hangs does
/// no harm. Where it cannot be used, make() throws Error (plugin) with the library's path and the
/// reason, and nothing else is touched.
///
/// Looked in, the first of two plugins with one stage name winning: the folders of
/// `$MILLRACE_PLUGIN_PATH` (a colon between two), the user's own
/// (`${XDG_DATA_HOME:-~/.local/share}/millrace/plugins/abi1`), then `millrace/plugins` beside
/// Millrace's own library. Calling it again finds what is new.
///
/// Returns a complaint per plugin that was left out: its manifest cannot be read, it was built for
/// another version, or somebody else may write its files.
/// [one thread, before any reads the catalogue]
std::vector<std::string> load_manifests(Catalogue& catalogue = Catalogue::instance());

}  // namespace millrace::inline v1
