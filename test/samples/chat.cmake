# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# samples/chat as its README says, with Sinter's sources beside it, then by `sinter chat`: both tell the story that was recorded, and draws of one
# seed are equal. SOURCE, SINTER_BUILD: Sinter's folders; WORK: ours.
cmake_minimum_required(VERSION 3.21)
file(REMOVE_RECURSE ${WORK})
file(COPY ${SOURCE}/samples/chat DESTINATION ${WORK})
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(sample ${WORK}/chat)
file(READ ${sample}/recorded.txt recorded)

# The program's standard output alone: it says how fast it was beside it.
function(tell out)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE told ERROR_VARIABLE beside)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: status ${status}\n${told}${beside}")
  endif()
  set(${out} "${told}" PARENT_SCOPE)
endfunction()
function(must_be_recorded text)
  if(NOT text STREQUAL recorded)
    message(FATAL_ERROR "the story is:\n${text}\nand not, as recorded:\n${recorded}")
  endif()
endfunction()

run("configuring" ${CMAKE_COMMAND} -E env "CXXFLAGS=-Wall -Wextra -pedantic -Werror" ${CMAKE_COMMAND} -S ${sample} -B ${WORK}/build -G Ninja
  -DSINTER_SOURCE_DIR=${SOURCE} -DSINTER_EXECUTABLE=${SINTER_BUILD}/bin/sinter)
run("building" ${CMAKE_COMMAND} --build ${WORK}/build)
tell(story ${WORK}/build/stories)
must_be_recorded("${story}")
tell(drawn ${WORK}/build/stories "The dog" 7)
tell(again ${WORK}/build/stories "The dog" 7)
tell(another ${WORK}/build/stories "The dog" 8)
if(NOT drawn STREQUAL again OR drawn STREQUAL another)
  message(FATAL_ERROR "one seed does not tell one story:\n${drawn}\n${again}\n${another}")
endif()

run("making a program" ${SINTER_BUILD}/bin/sinter chat ${sample}/stories.onnx -o ${WORK}/stories)
tell(story ${WORK}/stories --tokens 251 "Once upon a time")
must_be_recorded("Once upon a time${story}")
file(REMOVE_RECURSE ${WORK})
