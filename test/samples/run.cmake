# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run(what command...): fails the test unless the command succeeds; its output in `said`.
macro(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what}: status ${status}\n${said}")
  endif()
endmacro()
