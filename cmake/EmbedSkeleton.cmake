# SPDX-FileCopyrightText: The Millrace authors
# SPDX-License-Identifier: Apache-2.0

# cmake -D FOLDER=plugins/example -D OUTPUT=skeleton.cpp -P EmbedSkeleton.cmake: the files of its
# folders as C++ text, for `millrace new plugin`. The licence lines stay here: a copy is its author's.
set(text "#include \"cli/skeleton.hpp\"\n\nnamespace millrace::cli {\n\n")
foreach(language cpp c)
  file(GLOB files ${FOLDER}/${language}/*)
  string(APPEND text "const std::vector<SkeletonFile>& ${language}_plugin_skeleton() {\n")
  string(APPEND text "  static const std::vector<SkeletonFile> files = {\n")
  foreach(file ${files})
    get_filename_component(name ${file} NAME)
    file(READ ${file} content)
    string(REGEX REPLACE "[^\n]*SPDX-[^\n]*\n\n?" "" content "${content}")
    string(APPEND text "      {\"${name}\", R\"~~~(${content})~~~\"},\n")
  endforeach()
  string(APPEND text "  };\n  return files;\n}\n\n")
endforeach()
string(APPEND text "}  // namespace millrace::cli\n")
file(WRITE ${OUTPUT} "${text}")
