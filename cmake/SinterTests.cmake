# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How tests are declared. `check` runs all of them; `check-units`, `check-lit` the two quick kinds; ctest -R finds one by its name,
# which is the path of what it tests: units/compiler/frontend, lit, conformance, guarantees/..., end_to_end/..., samples/....
find_package(doctest REQUIRED)
find_program(SINTER_LIT lit HINTS ${LLVM_INSTALL_PREFIX}/build/utils/lit NAMES lit.py lit llvm-lit REQUIRED)

set(SINTER_CTEST ${CMAKE_CTEST_COMMAND} --test-dir ${PROJECT_BINARY_DIR} --output-on-failure)
add_custom_target(test-programs ALL) # everything that tests run; part of `all`
add_custom_target(check COMMAND ${SINTER_CTEST} USES_TERMINAL)
add_custom_target(check-units COMMAND ${SINTER_CTEST} -R "^(units/|templates-)" USES_TERMINAL)
add_custom_target(check-lit COMMAND ${SINTER_CTEST} -R "^lit$" -V USES_TERMINAL)
add_dependencies(check test-programs)
add_dependencies(check-units test-programs)
add_dependencies(check-lit test-programs)

# sinter_test_program(folder source... [LIBRARIES library...] [RUNNER command...]): a doctest program of these sources, run as units/<folder>.
function(sinter_test_program folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES;RUNNER")
  string(REPLACE "/" "-" name test-${folder})
  add_executable(${name} ${PROJECT_SOURCE_DIR}/test/doctest_main.cpp ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE doctest::doctest ${arg_LIBRARIES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/bin)
  add_dependencies(test-programs ${name})
  add_test(NAME units/${folder} COMMAND ${arg_RUNNER} $<TARGET_FILE:${name}>)
endfunction()

# sinter_compiler_unit_tests(folder): the .cpp files in a folder and below that test parts of the compiler, built with its precompiled header.
function(sinter_compiler_unit_tests folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/Inputs/")
  if(NOT sources)
    return()
  endif()
  string(REPLACE "/" "-" name test-${folder})
  add_library(${name}-objects OBJECT ${sources})
  target_link_libraries(${name}-objects PRIVATE sinter_driver sinter_build doctest::doctest)
  target_compile_definitions(${name}-objects PRIVATE DOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS SINTER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_precompile_headers(${name}-objects REUSE_FROM sinter_compiler)
  sinter_test_program(${folder} LIBRARIES ${name}-objects sinter_driver ${SINTER_LIBRARIES})
endfunction()
