# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# sinter_embed(out namespace file...): text files into a C++ source, so that the binary stands alone. It defines, in sinter::<namespace>,
# `const EmbeddedFile embedded[]` (name, text) ended by an entry without a name; the struct is declared in compiler/support/embedded.h.
function(sinter_embed out namespace)
  string(REPLACE ";" "\n" files "${ARGN}")
  file(CONFIGURE OUTPUT ${out}.txt CONTENT "${files}" @ONLY)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DNAMESPACE=${namespace} -DLIST=${out}.txt -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${ARGN} ${out}.txt ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake VERBATIM)
endfunction()
