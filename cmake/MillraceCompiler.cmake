# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0

# Warnings and sanitizers for the project's own targets; never exported to its users.
add_library(millrace_warnings INTERFACE)
# Not under a sanitizer: what it puts into the code leads GCC 12's warnings astray.
if(NOT MILLRACE_SANITIZE)
  target_compile_options(millrace_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow
    -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align
    # At -O3 GCC 12 gives false alarms of these kinds in std::string (its PR 105329 and 105651).
    $<$<CONFIG:Release>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>
    $<$<BOOL:${MILLRACE_WERROR}>:-Werror>)
endif()

# For plugins in C.
add_library(millrace_c_warnings INTERFACE)
if(NOT MILLRACE_SANITIZE)
  target_compile_options(millrace_c_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wcast-align
    $<$<BOOL:${MILLRACE_WERROR}>:-Werror>)
endif()

if(MILLRACE_SANITIZE)
  add_compile_options(-fsanitize=${MILLRACE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${MILLRACE_SANITIZE})
  # UBSan's words for each place it looks at are 1.2 million addresses that every start of a program
  # would have to fill in. It traps instead, and AddressSanitizer shows where (ADR 25).
  if(MILLRACE_SANITIZE MATCHES "address.*undefined")
    add_compile_options(-fsanitize-undefined-trap-on-error)
  endif()
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness is what ccache's manual asks for with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
  add_compile_options(-fpch-preprocess)
endif()
