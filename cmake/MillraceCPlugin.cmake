# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0

# What makes a plugin of the C interface: one exported function, nothing of Millrace linked, and the
# manifest beside it. Where it goes, as with millrace_add_plugin().
set(MILLRACE_C_PLUGIN_EXPORTS ${CMAKE_CURRENT_LIST_DIR}/millrace_c_plugin.map)

# millrace_add_c_plugin(<name> <source>...): a plugin in C, or in C++ with millrace_plugin.hpp. The
# target is millrace_<name>.
function(millrace_add_c_plugin name)
  millrace_add_plugin_library(${name} ${ARGN})
  target_include_directories(millrace_${name} PRIVATE
    $<TARGET_PROPERTY:Millrace::millrace,INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_options(millrace_${name} PRIVATE
    LINKER:--version-script=${MILLRACE_C_PLUGIN_EXPORTS} LINKER:--no-undefined)
  set_target_properties(millrace_${name} PROPERTIES C_STANDARD 99)
  set_property(TARGET millrace_${name} APPEND PROPERTY LINK_DEPENDS ${MILLRACE_C_PLUGIN_EXPORTS})
endfunction()

# millrace_add_rust_plugin(<name> <source>): the same from one Rust file without crates, where rustc
# is found (MILLRACE_RUSTC).
function(millrace_add_rust_plugin name source)
  find_program(MILLRACE_RUSTC rustc)
  if(NOT MILLRACE_RUSTC)
    message(STATUS "The plugin ${name} is left out: rustc was not found")
    return()
  endif()
  if(NOT CMAKE_LIBRARY_OUTPUT_DIRECTORY)
    set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/plugins)
  endif()
  set(library ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${name}.so)
  get_filename_component(source ${source} ABSOLUTE)
  add_custom_command(OUTPUT ${library}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}
    COMMAND ${MILLRACE_RUSTC} --edition 2021 --crate-type cdylib -C opt-level=3 -C panic=unwind
      -o ${library} ${source}
    COMMAND Millrace::manifest ${library}
    DEPENDS ${source} Millrace::manifest
    COMMENT "Compiling the Rust plugin ${name}" VERBATIM)
  add_custom_target(millrace_${name} ALL DEPENDS ${library})
endfunction()
