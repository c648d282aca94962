// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "millrace/catalogue.hpp"

namespace millrace::inline v1 {

/// Puts the stages that plugins offer into the catalogue, from the manifests beside their
/// libraries. A library is opened when the first stage of it is made; where that fails, make()
/// throws Error (plugin) with the library's path and the reason, and nothing else is touched.
///
/// Looked in, the first of two plugins with one stage name winning: the folders of
/// `$MILLRACE_PLUGIN_PATH` (a colon between two), then `millrace/plugins` beside Millrace's own
/// library. Calling it again finds what is new.
///
/// Returns a complaint per manifest that was left out because it cannot be read.
/// [one thread, before any reads the catalogue]
std::vector<std::string> load_manifests(Catalogue& catalogue = Catalogue::instance());

}  // namespace millrace::inline v1
