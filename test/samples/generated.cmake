# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A net that a custom command makes (Inputs/generated): built by presets, again when what it is made of changes, in folders with spaces; installed, and
# found by another project. SOURCE, SINTER_BUILD: Sinter's folders; WORK: ours.
cmake_minimum_required(VERSION 3.21)
file(REMOVE_RECURSE ${WORK})
set(project "${WORK}/a project")
file(COPY ${SOURCE}/test/samples/Inputs/generated/ DESTINATION ${project})
file(COPY ${SOURCE}/samples/digits/digits.onnx ${SOURCE}/samples/digits/main.cpp ${SOURCE}/samples/digits/test_digits.h DESTINATION ${project})
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

function(in_project what)
  run("${what}" ${CMAKE_COMMAND} -E chdir ${project} ${ARGN})
  set(said "${said}" PARENT_SCOPE)
endfunction()
function(built expected why)
  in_project("building, ${why}" ${CMAKE_COMMAND} --build --preset fast)
  if(NOT said MATCHES "${expected}")
    message(FATAL_ERROR "${why}: expected ${expected}\n${said}")
  endif()
endfunction()

set(flags -DSINTER_CMAKE=${SOURCE}/cmake -DSINTER_EXECUTABLE=${SINTER_BUILD}/bin/sinter)
in_project("configuring" ${CMAKE_COMMAND} --preset fast ${flags})
built("Compiling net.onnx" "first")
in_project("running" ${CMAKE_CTEST_COMMAND} --preset fast --output-on-failure)
built("no work to do" "nothing changed")
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)
file(TOUCH ${project}/digits.onnx)
built("Compiling net.onnx" "what the model is made of changed")

set(prefix "${WORK}/a prefix")
in_project("installing" ${CMAKE_COMMAND} --install "a build" --prefix ${prefix})
run("configuring the user" ${CMAKE_COMMAND} -S ${project}/user -B ${WORK}/user -G "Unix Makefiles" -DCMAKE_PREFIX_PATH=${prefix} -DPROGRAM=${project})
run("building the user" ${CMAKE_COMMAND} --build ${WORK}/user)
run("running the user" ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/user --output-on-failure)

# A model that nobody makes.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${project} -B ${WORK}/missing -G Ninja -DMISSING=ON ${flags} RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
string(REGEX REPLACE "[ \n]+" " " said "${said}")
if(status EQUAL 0 OR NOT said MATCHES "add_onnx_library\\(missing\\) finds no MODEL [^ ]*/a project/made here/other.onnx")
  message(FATAL_ERROR "a model that nobody makes: status ${status}\n${said}")
endif()
file(REMOVE_RECURSE ${WORK})
