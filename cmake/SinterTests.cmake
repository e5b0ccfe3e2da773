# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How tests are declared. `check` runs all of them; `check-units`, `check-lit` the two quick kinds; ctest -R finds one by its name,
# which is the path of what it tests: units/compiler/frontend, lit, conformance, guarantees/..., end_to_end/..., samples/....
find_package(doctest REQUIRED)
find_program(SINTER_LIT lit HINTS ${LLVM_INSTALL_PREFIX}/build/utils/lit NAMES lit.py lit llvm-lit REQUIRED)

set(SINTER_CTEST ${CMAKE_CTEST_COMMAND} --test-dir ${PROJECT_BINARY_DIR} --output-on-failure)
add_custom_target(test-programs ALL) # everything that tests run; part of `all`
add_custom_target(thorough-programs) # what tests of the label `thorough` run besides
add_custom_target(check COMMAND ${SINTER_CTEST} USES_TERMINAL)
add_custom_target(check-units COMMAND ${SINTER_CTEST} -R "^(units/|templates-)" USES_TERMINAL)
add_custom_target(check-lit COMMAND ${SINTER_CTEST} -R "^lit$" -V USES_TERMINAL)
add_dependencies(check test-programs)
add_dependencies(check-units test-programs)
add_dependencies(check-lit test-programs)

# sinter_thorough(test...): tests for `scripts/test --thorough`, which a plain run leaves out: further targets, nets and compilers of what others test.
function(sinter_thorough)
  set_property(TEST ${ARGN} PROPERTY LABELS thorough)
endfunction()

# doctest's headers by themselves, for compilers that must not see the system's.
find_path(SINTER_DOCTEST_DIR doctest/doctest.h)
set(SINTER_DOCTEST_INCLUDE ${PROJECT_BINARY_DIR}/test/include)
file(MAKE_DIRECTORY ${SINTER_DOCTEST_INCLUDE} ${PROJECT_BINARY_DIR}/test/doctest_main)
file(CREATE_LINK ${SINTER_DOCTEST_DIR}/doctest ${SINTER_DOCTEST_INCLUDE}/doctest SYMBOLIC)

# sinter_doctest_main(OUT COMPILER): the object with doctest and main(), made once for a compiler: six seconds. Instruction sets and sanitizers leave it
# as it is.
function(sinter_doctest_main out compiler)
  get_filename_component(stem ${compiler} NAME)
  set(object ${PROJECT_BINARY_DIR}/test/doctest_main/${stem}.o)
  get_property(isMade GLOBAL PROPERTY SINTER_DOCTEST_MAIN_${stem})
  if(NOT isMade)
    set_property(GLOBAL PROPERTY SINTER_DOCTEST_MAIN_${stem} ON)
    set(source ${PROJECT_SOURCE_DIR}/test/doctest_main.cpp)
    add_custom_command(OUTPUT ${object} COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${compiler} -std=c++17 -O1 -isystem ${SINTER_DOCTEST_INCLUDE} -c ${source} -o ${object}
      DEPENDS ${source} COMMENT "${stem}: doctest_main" VERBATIM)
    add_custom_target(doctest-main-${stem} DEPENDS ${object})
  endif()
  set(${out} ${object} PARENT_SCOPE)
endfunction()

add_library(doctest-main OBJECT ${PROJECT_SOURCE_DIR}/test/doctest_main.cpp)
target_link_libraries(doctest-main PRIVATE doctest::doctest)

# sinter_test_program(folder source... [LIBRARIES library...] [RUNNER command...]): a doctest program of these sources, run as units/<folder>.
function(sinter_test_program folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES;RUNNER")
  string(REPLACE "/" "-" name test-${folder})
  add_executable(${name} $<TARGET_OBJECTS:doctest-main> ${arg_UNPARSED_ARGUMENTS})
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
