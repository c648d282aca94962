# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0

# millrace_add_plugin(<name> <source>...): a plugin library with the same stage files as in stages/,
# and beside it the manifest that names its stages. Both go to ${PROJECT_BINARY_DIR}/plugins, or to
# CMAKE_LIBRARY_OUTPUT_DIRECTORY where that is set; put the folder into MILLRACE_PLUGIN_PATH.
# The target is millrace_<name>.
function(millrace_add_plugin name)
  add_library(millrace_${name} MODULE ${ARGN})
  target_link_libraries(millrace_${name} PRIVATE Millrace::millrace)
  if(NOT CMAKE_LIBRARY_OUTPUT_DIRECTORY)
    set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/plugins)
  endif()
  set_target_properties(millrace_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  add_custom_command(TARGET millrace_${name} POST_BUILD
    COMMAND Millrace::manifest $<TARGET_FILE:millrace_${name}>
    COMMENT "Writing the manifest of plugin ${name}" VERBATIM)
  add_dependencies(millrace_${name} Millrace::manifest)
endfunction()
