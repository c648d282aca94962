# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0

# OpenCV's core and imgproc modules alone. Debian's libopencv-dev brings OpenCVConfig.cmake and with
# it every module's packages; libopencv-core-dev and libopencv-imgproc-dev are enough for us but have
# neither a CMake nor a pkg-config file. Defines OpenCV::core and OpenCV::imgproc.
find_path(OpenCVCore_INCLUDE_DIR opencv2/core.hpp PATH_SUFFIXES opencv4)
find_library(OpenCVCore_core_LIBRARY opencv_core)
find_library(OpenCVCore_imgproc_LIBRARY opencv_imgproc)

if(OpenCVCore_INCLUDE_DIR AND EXISTS ${OpenCVCore_INCLUDE_DIR}/opencv2/core/version.hpp)
  file(STRINGS ${OpenCVCore_INCLUDE_DIR}/opencv2/core/version.hpp lines
    REGEX "^#define CV_VERSION_(MAJOR|MINOR|REVISION)")
  string(REGEX REPLACE "[^0-9;]" "" digits "${lines}")
  string(REPLACE ";" "." OpenCVCore_VERSION "${digits}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCVCore
  REQUIRED_VARS OpenCVCore_core_LIBRARY OpenCVCore_imgproc_LIBRARY OpenCVCore_INCLUDE_DIR
  VERSION_VAR OpenCVCore_VERSION)

if(OpenCVCore_FOUND)
  foreach(module core imgproc)
    if(NOT TARGET OpenCV::${module})
      add_library(OpenCV::${module} UNKNOWN IMPORTED)
      set_target_properties(OpenCV::${module} PROPERTIES
        IMPORTED_LOCATION ${OpenCVCore_${module}_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${OpenCVCore_INCLUDE_DIR}
        INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${OpenCVCore_INCLUDE_DIR})
    endif()
  endforeach()
endif()
