# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0

# find_package(Millrace): the library Millrace::millrace, the program Millrace::program, and
# the functions that make plugins. One in C needs no OpenCV.
include(CMakeFindDependencyMacro)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
find_dependency(Threads)
find_package(OpenCVCore QUIET)
list(POP_BACK CMAKE_MODULE_PATH)
include(${CMAKE_CURRENT_LIST_DIR}/MillraceTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/MillracePlugin.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/MillraceCPlugin.cmake)
