# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A decoder that tells stories has to write what a schema or a grammar allows: its draws are all valid, in a project of CMake and in programs that
# `sinter chat` makes. Hot draws are as good as those of random weights. SOURCE, SINTER_BUILD: Sinter's folders; WORK: ours; PYTHON.
cmake_minimum_required(VERSION 3.21)
file(REMOVE_RECURSE ${WORK})
file(COPY ${CMAKE_CURRENT_LIST_DIR}/Inputs/constrained/ DESTINATION ${WORK})
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(check ${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/Inputs/valid_texts.py)

run("configuring" ${CMAKE_COMMAND} -E env "CXXFLAGS=-Wall -Wextra -pedantic -Werror" ${CMAKE_COMMAND} -S ${WORK} -B ${WORK}/build -G Ninja
  -DSINTER_SOURCE_DIR=${SOURCE} -DSINTER_EXECUTABLE=${SINTER_BUILD}/bin/sinter)
run("building" ${CMAKE_COMMAND} --build ${WORK}/build)
run("texts of the project" ${check} ${WORK}/person.json 30 ${WORK}/build/people @)

set(chat ${SINTER_BUILD}/bin/sinter chat ${SOURCE}/samples/chat/stories.onnx -O1 --tokens 120) # 400 texts, which take longer without
run("making a program with a schema" ${chat} --json-schema ${WORK}/person.json -o ${WORK}/person)
run("making a program with a grammar" ${chat} --grammar ${WORK}/object.gbnf -o ${WORK}/object)
foreach(temperature IN ITEMS 1 20)
  run("texts of the schema" ${check} ${WORK}/person.json 100 ${WORK}/person --temperature ${temperature} --seed @ Once)
  run("texts of the grammar" ${check} object 100 ${WORK}/object --temperature ${temperature} --seed @ Once)
endforeach()
file(REMOVE_RECURSE ${WORK})
