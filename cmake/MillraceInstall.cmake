# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0

# What `cmake --install` puts where, and the package that find_package(Millrace) reads. The build
# folder has the same layout, so that a plugin can be built against either. Nothing here knows the
# prefix: an installation may be moved.
include(CMakePackageConfigHelpers)

set(libdir ${CMAKE_INSTALL_LIBDIR})
set(package_files
  ${PROJECT_SOURCE_DIR}/cmake/MillraceConfig.cmake
  ${PROJECT_SOURCE_DIR}/cmake/MillracePlugin.cmake
  ${PROJECT_SOURCE_DIR}/cmake/MillraceCPlugin.cmake
  ${PROJECT_SOURCE_DIR}/cmake/millrace_c_plugin.map
  ${PROJECT_SOURCE_DIR}/cmake/FindOpenCVCore.cmake)

file(RELATIVE_PATH to_libdir /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${libdir})
set_target_properties(millrace_cli PROPERTIES INSTALL_RPATH $ORIGIN/${to_libdir})
set_target_properties(millrace_manifest millrace_probe millrace_worker PROPERTIES INSTALL_RPATH $ORIGIN/..)

set_target_properties(millrace_manifest PROPERTIES EXPORT_NAME manifest)
set_target_properties(millrace_cli PROPERTIES EXPORT_NAME program)
install(TARGETS millrace EXPORT MillraceTargets FILE_SET HEADERS FILE_SET abi LIBRARY DESTINATION ${libdir})
install(TARGETS millrace_cli EXPORT MillraceTargets DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS millrace_manifest EXPORT MillraceTargets DESTINATION ${libdir}/millrace)
install(TARGETS millrace_probe millrace_worker DESTINATION ${libdir}/millrace)
install(EXPORT MillraceTargets NAMESPACE Millrace:: DESTINATION ${libdir}/cmake/Millrace)

# A plugin fits one version exactly.
set(package_folder ${PROJECT_BINARY_DIR}/lib/cmake/Millrace)
write_basic_package_version_file(${package_folder}/MillraceConfigVersion.cmake
  COMPATIBILITY ExactVersion)
install(FILES ${package_files} ${package_folder}/MillraceConfigVersion.cmake
  DESTINATION ${libdir}/cmake/Millrace)
foreach(file ${package_files})
  configure_file(${file} ${package_folder} COPYONLY)
endforeach()
export(EXPORT MillraceTargets NAMESPACE Millrace:: FILE ${package_folder}/MillraceTargets.cmake)

install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/millrace)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})

# What the program says of itself: the manual page, and the completion of each shell.
install(CODE "set(bin ${CMAKE_INSTALL_BINDIR})\nset(data ${CMAKE_INSTALL_DATADIR})\nset(man ${CMAKE_INSTALL_MANDIR})")
install(CODE [[
  set(root $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX})
  function(write_output file)
    get_filename_component(folder ${root}/${file} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    execute_process(COMMAND ${root}/${bin}/millrace ${ARGN} OUTPUT_FILE ${root}/${file} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "millrace ${ARGN} ended with ${result}")
    endif()
    message(STATUS "Installing: ${root}/${file}")
  endfunction()
  write_output(${man}/man1/millrace.1 man)
  write_output(${data}/bash-completion/completions/millrace completion bash)
  write_output(${data}/zsh/site-functions/_millrace completion zsh)
  write_output(${data}/fish/vendor_completions.d/millrace.fish completion fish)
]])
