# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# sinter_embed(out namespace file... [RELATIVE folder]): text files into a C++ source, so that the binary stands alone. It defines, in
# sinter::<namespace>, `const EmbeddedFile embedded[]` (name, text) ended by an entry without a name; the struct is declared in
# compiler/support/embedded.h. Names are those of the files, or their paths from `folder`.
function(sinter_embed out namespace)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "RELATIVE" "")
  string(REPLACE ";" "\n" files "${arg_UNPARSED_ARGUMENTS}")
  file(CONFIGURE OUTPUT ${out}.txt CONTENT "${files}" @ONLY)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DNAMESPACE=${namespace} -DLIST=${out}.txt -DRELATIVE=${arg_RELATIVE}
      -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${arg_UNPARSED_ARGUMENTS} ${out}.txt ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake VERBATIM)
endfunction()
