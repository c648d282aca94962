# millrace_add_plugin(<name> <source>...): a plugin library with the same stage files as in stages/.
function(millrace_add_plugin name)
  add_library(millrace_${name} MODULE ${ARGN})
  target_link_libraries(millrace_${name} PRIVATE Millrace::millrace)
  set_target_properties(millrace_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} CXX_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/plugins)
endfunction()
