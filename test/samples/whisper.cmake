# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# samples/whisper as its README says, with Sinter's sources beside it, then by `sinter generate`: both hear what was recorded, in parts with their
# times. SOURCE, SINTER_BUILD: Sinter's folders; WORK: ours.
cmake_minimum_required(VERSION 3.21)
file(REMOVE_RECURSE ${WORK})
file(COPY ${SOURCE}/samples/whisper DESTINATION ${WORK})
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(sample ${WORK}/whisper)
file(READ ${sample}/recorded.txt recorded)

# The program's standard output alone.
function(must_hear expected)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE heard ERROR_VARIABLE beside)
  if(NOT status EQUAL 0 OR NOT heard STREQUAL expected)
    message(FATAL_ERROR "${ARGN}: status ${status}\n${heard}and not\n${expected}${beside}")
  endif()
endfunction()

run("configuring" ${CMAKE_COMMAND} -E env "CXXFLAGS=-Wall -Wextra -pedantic -Werror" ${CMAKE_COMMAND} -S ${sample} -B ${WORK}/build -G Ninja
  -DSINTER_SOURCE_DIR=${SOURCE} -DSINTER_EXECUTABLE=${SINTER_BUILD}/bin/sinter)
run("building" ${CMAKE_COMMAND} --build ${WORK}/build)
must_hear("${recorded}" ${WORK}/build/listen ${sample}/numbers.wav)
must_hear("${recorded}" ${SINTER_BUILD}/bin/sinter generate ${sample} --sound ${sample}/numbers.wav --timestamps)
# Without times it is the same text in one line, in the language that is asked for.
string(REGEX REPLACE "\\[[^]]*\\]|\n" "" words "${recorded}")
must_hear("${words}\n" ${SINTER_BUILD}/bin/sinter generate ${sample} --sound ${sample}/numbers.wav)
must_hear("${words}\n" ${SINTER_BUILD}/bin/sinter generate ${sample} --sound ${sample}/numbers.wav --language de --task translate)
file(REMOVE_RECURSE ${WORK})
