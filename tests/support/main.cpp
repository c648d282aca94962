// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#endif

#include <cstdlib>

#include "support/temporary_folder.hpp"

int main(int argc, char** argv) {
  // Neither the plugins of whoever runs the tests nor what is remembered of plugins matters here.
  const millrace::testing::TemporaryFolder home;
  setenv("HOME", home.path().c_str(), 1);
  for (const auto* name : {"XDG_DATA_HOME", "XDG_CACHE_HOME", "MILLRACE_PLUGIN_PATH"})
    unsetenv(name);
  return Catch::Session().run(argc, argv);
}
