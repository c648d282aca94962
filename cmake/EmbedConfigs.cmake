# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0

# cmake -D FOLDER=configs -D OUTPUT=ready.cpp -P EmbedConfigs.cmake: its pipelines as C++ text, so
# that `millrace run NAME` finds them wherever it is called.
file(GLOB files ${FOLDER}/*.yaml)
set(text "#include \"cli/ready.hpp\"\n\nnamespace millrace::cli {\n\n")
string(APPEND text "std::vector<ReadyPipeline> shipped_pipelines() {\n  return {\n")
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} content)
  string(APPEND text "      {\"${name}\", R\"~~~(${content})~~~\"},\n")
endforeach()
string(APPEND text "  };\n}\n\n}  // namespace millrace::cli\n")
file(WRITE ${OUTPUT} "${text}")
