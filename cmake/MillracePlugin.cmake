# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0

# A plugin's library, made of the sources behind its name: where it goes, and its manifest.
function(millrace_add_plugin_library name)
  add_library(millrace_${name} MODULE ${ARGN})
  if(NOT CMAKE_LIBRARY_OUTPUT_DIRECTORY)
    set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/plugins)
  endif()
  set_target_properties(millrace_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name}
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS $<TARGET_FILE:Millrace::manifest>  # which may write another manifest
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  add_custom_command(TARGET millrace_${name} POST_BUILD
    COMMAND Millrace::manifest $<TARGET_FILE:millrace_${name}>
    COMMENT "Writing the manifest of plugin ${name}" VERBATIM)
  add_dependencies(millrace_${name} Millrace::manifest)
endfunction()

# millrace_add_plugin(<name> <source>...): a plugin library with the same stage files as in stages/,
# and beside it the manifest that names its stages. Both go to ${PROJECT_BINARY_DIR}/plugins, or to
# CMAKE_LIBRARY_OUTPUT_DIRECTORY where that is set; put the folder into MILLRACE_PLUGIN_PATH.
# The target is millrace_<name>.
function(millrace_add_plugin name)
  if(NOT TARGET OpenCV::core)
    message(FATAL_ERROR "A plugin in C++ needs the headers of OpenCV's modules core and imgproc; on "
      "Debian: apt install libopencv-core-dev libopencv-imgproc-dev")
  endif()
  millrace_add_plugin_library(${name} ${ARGN})
  target_link_libraries(millrace_${name} PRIVATE Millrace::millrace)
endfunction()

# millrace_install_plugin(<name>): `cmake --install` copies both into MILLRACE_PLUGIN_INSTALL_DIR:
# unless set, the user's own folder of plugins, where every Millrace looks. A package sets it to
# lib/millrace/plugins, below its prefix.
function(millrace_install_plugin name)
  if(NOT MILLRACE_PLUGIN_INSTALL_DIR)
    set(data $ENV{XDG_DATA_HOME})
    if(NOT IS_ABSOLUTE "${data}")
      set(data $ENV{HOME}/.local/share)
    endif()
    set(MILLRACE_PLUGIN_INSTALL_DIR ${data}/millrace/plugins/abi1)
  endif()
  install(TARGETS millrace_${name} LIBRARY DESTINATION ${MILLRACE_PLUGIN_INSTALL_DIR})
  install(FILES $<TARGET_FILE_DIR:millrace_${name}>/${name}.manifest
    DESTINATION ${MILLRACE_PLUGIN_INSTALL_DIR})
endfunction()
