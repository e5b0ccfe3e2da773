# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run by sinter_embed (SinterEmbed.cmake): each file of LIST becomes a raw string literal in OUT.
file(STRINGS ${LIST} files)
set(text "// Made by cmake/embed_files.cmake.\n#include \"support/embedded.h\"\n\nnamespace sinter::${NAMESPACE} {\nextern const EmbeddedFile embedded[] = {\n")
foreach(path IN LISTS files)
  get_filename_component(name ${path} NAME)
  file(READ ${path} content)
  string(APPEND text "{\"${name}\", R\"SINTER_TEXT(${content})SINTER_TEXT\"},\n")
endforeach()
string(APPEND text "{nullptr, nullptr}};\n} // namespace sinter::${NAMESPACE}\n")
file(WRITE ${OUT} "${text}")
