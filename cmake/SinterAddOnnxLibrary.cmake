# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# add_onnx_library: an ONNX model as a static library of the project that calls it. Sinter's own build and an installed package
# (SinterConfig.cmake.in) include this file.
#
#   add_onnx_library(name MODEL m.onnx [PREFIX p] [TARGET t] [DIMS batch=1 seq=1..128 ...] [SPECIALIZE seq=1,128 ...] [THREADS n]
#                    [EMULATED_GPU file.so] [CUSTOM_OPS ops.yaml...] [ADAPTER [name=]folder|file...] [DECODER [ENCODER e.onnx]]
#                    [TOKENIZER t.json [CHAT_TEMPLATE c.jinja] [GRAMMAR g.gbnf | JSON_SCHEMA s.json]] [OPTIONS flag...])
#
# name     the library to link with; programs then include PREFIX.h or PREFIX.hpp
# MODEL    relative to the current source folder; or what a custom command of this folder makes, relative to the current build folder
# PREFIX   what all names begin with (default: the library's name made an identifier)
# TARGET   what to compile for, as `sinter targets` lists them (default: this machine; of a cross build what CMAKE_SYSTEM_PROCESSOR says); x86-64-v2,x86-64-v3
#          makes one library for several CPUs
# EMULATED_GPU  where to build, for TARGET cuda-..., what stands in for the driver on machines without a GPU: --emulated-gpu
# CUSTOM_OPS  descriptions of operators of the project's own (docs/custom-operators.md), relative to the current source folder: --custom-ops each
# ADAPTER  what fine-tuning added to the model (docs/text-generation.md), relative to the current source folder: --adapter each
# DIMS     sizes or bounds of symbolic dims, or what they are of others (total=past+seq): --dim each, *=1 for all; THREADS: --threads; OPTIONS: further flags of sinter as they are
# DECODER  the model predicts tokens: --decoder; a session goes on from token to token (docs/text-generation.md)
# ENCODER  of a decoder behind an encoder: that one, a file as MODEL is (samples/whisper)
# TOKENIZER, CHAT_TEMPLATE, GRAMMAR, JSON_SCHEMA  files that `sinter tokenizer` takes, relative to the current source folder; names begin with PREFIX_tokens
# SPECIALIZE  sizes of dims for which there is an exact copy of the code: --specialize each
#
# The target Sinter::pool (sinter_pool.h) is a pool of threads for nets with THREADS: samples/cmake-consumer. Sinter::generation has the headers
# that choose tokens (runtime-lite/generation/sampler.h): samples/chat.
#
# In Debug builds nets are compiled with -O2 all the same, as nobody steps through them and they would be 25 times slower;
# -DSINTER_OPTIMIZE_DEBUG=OFF leaves them to the build's own flags.
#
# Sources, header and reports are made in ${CMAKE_CURRENT_BINARY_DIR}/onnx/<name>, again when the model, its external data or the compiler
# changes. The compiler that runs is SINTER_EXECUTABLE where that is set, else the one of the package; a cross build also looks in PATH.
include_guard(GLOBAL)
cmake_policy(VERSION 3.21) # of depfiles: paths in them are relative to the current build folder

set(SINTER_EXECUTABLE "" CACHE FILEPATH "A sinter that runs on this machine (default: the package's own; of a cross build also the one in PATH)")

option(SINTER_OPTIMIZE_DEBUG "Compile nets with -O2 in Debug builds too" ON)

# From the source folder, or from the package.
if(NOT TARGET Sinter::pool AND NOT CMAKE_SYSTEM_NAME STREQUAL "Generic")
  add_library(Sinter::pool INTERFACE IMPORTED GLOBAL)
  foreach(folder IN ITEMS ${CMAKE_CURRENT_LIST_DIR}/../samples/pool ${CMAKE_CURRENT_LIST_DIR}/pool)
    if(EXISTS ${folder}/sinter_pool.h)
      set_target_properties(Sinter::pool PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${folder})
    endif()
  endforeach()
  set_target_properties(Sinter::pool PROPERTIES INTERFACE_COMPILE_FEATURES cxx_std_17 INTERFACE_COMPILE_OPTIONS -pthread INTERFACE_LINK_OPTIONS -pthread)
endif()

if(NOT TARGET Sinter::generation)
  add_library(Sinter::generation INTERFACE IMPORTED GLOBAL)
  foreach(folder IN ITEMS ${CMAKE_CURRENT_LIST_DIR}/.. ${CMAKE_CURRENT_LIST_DIR})
    if(EXISTS ${folder}/runtime-lite/generation/sampler.h)
      set_target_properties(Sinter::generation PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${folder})
    endif()
  endforeach()
  set_target_properties(Sinter::generation PROPERTIES INTERFACE_COMPILE_FEATURES cxx_std_17)
endif()

# Ends configuring unless `path` is a sinter that runs here.
function(_sinter_check_executable path)
  set(said "there is no such file")
  if(EXISTS ${path})
    execute_process(COMMAND ${path} --version RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(status EQUAL 0 AND said MATCHES "^sinter ")
      return()
    endif()
    set(said "it is no sinter that runs on this machine (${status})")
  endif()
  message(FATAL_ERROR "SINTER_EXECUTABLE=${path}: ${said}.\nGive -DSINTER_EXECUTABLE=/path/to/bin/sinter, "
    "or leave it out to use the package's own.")
endfunction()

# Ends configuring unless the sinter, a command or the target of one, knows what to compile for.
function(_sinter_check_target sinter target name)
  if(TARGET ${sinter})
    get_target_property(location ${sinter} IMPORTED_LOCATION)
    set(sinter ${location}) # NOTFOUND: it is built along
  endif()
  string(REPLACE "," ";" targets "${target}")
  list(LENGTH targets count)
  if(count GREATER 1 AND NOT target MATCHES "^{")
    foreach(each IN LISTS targets)
      _sinter_check_target("${sinter}" ${each} ${name})
    endforeach()
    return()
  endif()
  if(sinter)
    execute_process(COMMAND ${sinter} targets ${target} RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "add_onnx_library(${name}): TARGET says what to compile for.\n${said}")
    endif()
    return()
  endif()
  set(files ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../targets) # this is Sinter's source folder then
  file(GLOB known RELATIVE ${files} ${files}/*.yaml)
  list(TRANSFORM known REPLACE "\\.yaml$" "")
  if("${target}" MATCHES "^cuda(-|$)")
    return() # its parts are checked once sinter runs
  endif()
  foreach(base IN LISTS known ITEMS host)
    if(target MATCHES "\\.yaml$|^{" OR "${target}" STREQUAL "${base}" OR "${target}" MATCHES "^${base}[-+]")
      return()
    endif()
  endforeach()
  list(JOIN known ", " known)
  message(FATAL_ERROR "add_onnx_library(${name}): TARGET says what to compile for.\nno target '${target}'; there are host, ${known}")
endfunction()

# The command, into `out`: a file or the target that is built along.
function(_sinter_command out)
  if(SINTER_EXECUTABLE)
    _sinter_check_executable(${SINTER_EXECUTABLE})
    set(${out} ${SINTER_EXECUTABLE} PARENT_SCOPE)
    return()
  endif()
  if(NOT CMAKE_CROSSCOMPILING)
    set(${out} Sinter::sinter PARENT_SCOPE)
    return()
  endif()
  # A package found in a target's sysroot has a sinter that does not run here.
  find_program(SINTER_IN_PATH sinter NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(SINTER_IN_PATH)
  foreach(candidate IN ITEMS "${SINTER_PACKAGE_EXECUTABLE}" "${SINTER_IN_PATH}")
    if(candidate)
      execute_process(COMMAND ${candidate} --version RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
      if(status EQUAL 0)
        set(${out} ${candidate} PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
  message(FATAL_ERROR "add_onnx_library: this build is for ${CMAKE_SYSTEM_NAME} on ${CMAKE_SYSTEM_PROCESSOR} and needs a sinter that runs on "
    "${CMAKE_HOST_SYSTEM_NAME} on ${CMAKE_HOST_SYSTEM_PROCESSOR}. Build Sinter for this machine, then put its bin folder into PATH or give "
    "-DSINTER_EXECUTABLE=/path/to/bin/sinter")
endfunction()

# What to compile for when nobody says.
function(_sinter_default_target out)
  string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
  if(NOT CMAKE_CROSSCOMPILING)
    set(target host)
  elseif(EMSCRIPTEN OR processor MATCHES "^wasm32") # Emscripten says that the processor is an x86
    set(target wasm32)
  elseif(processor MATCHES "^(aarch64|arm64)" OR CMAKE_SYSTEM_NAME STREQUAL "iOS") # Android's has a version behind it
    set(target aarch64)
    if(CMAKE_SYSTEM_NAME STREQUAL "Darwin")
      set(target aarch64-macos)
    elseif(CMAKE_SYSTEM_NAME MATCHES "^(iOS|tvOS|watchOS|visionOS)$")
      set(target aarch64-ios)
    elseif(CMAKE_SYSTEM_NAME STREQUAL "Android")
      set(target aarch64-android)
    endif()
  elseif(processor MATCHES "^armv7")
    set(target armv7)
  elseif(processor MATCHES "^(x86_64|amd64)$")
    set(target x86-64-v2)
    if(CMAKE_SYSTEM_NAME STREQUAL "Windows")
      set(target x86-64-v2-windows)
    endif()
  else()
    set(target ${processor}) # a CPU's own name, or none that sinter knows
  endif()
  set(${out} ${target} PARENT_SCOPE)
endfunction()

# A rule that makes a header and sources of a tokenizer; their names go to `out`. Behind it: an option, the file that belongs to it, and the
# ending of the source that it makes, any number of times; a file may be "".
function(_sinter_add_tokenizer sinter made tokenizer out)
  get_filename_component(tokenizer "${tokenizer}" ABSOLUTE)
  set(files ${made}.cpp ${made}.h)
  set(flags "")
  set(read ${tokenizer})
  set(parts "${ARGN}")
  while(parts)
    list(POP_FRONT parts option given ending)
    if(given)
      get_filename_component(given "${given}" ABSOLUTE)
      list(APPEND flags ${option} ${given})
      list(APPEND files ${made}_${ending}.cpp)
      list(APPEND read ${given})
    endif()
  endwhile()
  get_filename_component(file ${tokenizer} NAME)
  add_custom_command(OUTPUT ${files} COMMAND ${sinter} tokenizer ${tokenizer} -o ${made}.h ${flags}
    DEPENDS ${read} ${sinter} COMMENT "Compiling ${file}" VERBATIM)
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# A library of WebAssembly, which sinter compiles itself: by the project's compiler where that makes WASI's objects, else by its own, whose objects
# Emscripten's linker takes.
function(_sinter_add_module name sinter model library made flags text_sources)
  if(CMAKE_CXX_COMPILER_TARGET MATCHES "^wasm32-wasi")
    list(APPEND flags --cxx ${CMAKE_CXX_COMPILER})
  endif()
  get_filename_component(file ${model} NAME)
  add_custom_command(OUTPUT ${library} ${made}.h COMMAND ${sinter} ${model} -o ${library} ${flags} -MD -MF ${made}.d
    DEPENDS ${model} ${sinter} DEPFILE ${made}.d COMMENT "Compiling ${file} to a library of WebAssembly" VERBATIM)
  add_library(${name} INTERFACE ${made}.h)
  target_include_directories(${name} INTERFACE ${CMAKE_CURRENT_BINARY_DIR}/onnx/${name})
  target_link_libraries(${name} INTERFACE ${library})
  target_sources(${name} INTERFACE ${text_sources})
endfunction()

# Whether the compiler hands a file with arguments on to the linker. `zig c++`, which CMake takes for Clang, looks at them itself and knows none: it says so,
# where others miss something to link.
function(_sinter_linker_takes_file out)
  if(NOT DEFINED SINTER_LINKER_TAKES_FILE)
    separate_arguments(more UNIX_COMMAND "${CMAKE_CXX_COMPILER_ARG1}")
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${more} -Wl,@none.libs OUTPUT_VARIABLE said ERROR_VARIABLE said)
    set(takes TRUE)
    if(said MATCHES "unsupported linker arg")
      set(takes FALSE)
    endif()
    set(SINTER_LINKER_TAKES_FILE ${takes} CACHE INTERNAL "Whether -Wl,@file reaches the linker")
  endif()
  set(${out} ${SINTER_LINKER_TAKES_FILE} PARENT_SCOPE)
endfunction()

# The path of a model, and whether something of the build makes it.
function(_sinter_model given out_path out_generated)
  get_filename_component(path "${given}" ABSOLUTE)
  get_filename_component(made "${given}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
  set(generated FALSE)
  foreach(each IN LISTS path made)
    get_source_file_property(generated "${each}" GENERATED)
    if(generated)
      set(path "${each}")
      break()
    endif()
  endforeach()
  set(${out_path} "${path}" PARENT_SCOPE)
  set(${out_generated} ${generated} PARENT_SCOPE)
endfunction()

function(add_onnx_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "DECODER" "MODEL;PREFIX;TARGET;THREADS;EMULATED_GPU;ENCODER;TOKENIZER;CHAT_TEMPLATE;GRAMMAR;JSON_SCHEMA" "DIMS;SPECIALIZE;CUSTOM_OPS;ADAPTER;OPTIONS")
  set(problem "")
  _sinter_model("${arg_MODEL}" model generated)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(arg_UNPARSED_ARGUMENTS)
    set(problem "does not know ${arg_UNPARSED_ARGUMENTS}")
  elseif(NOT arg_MODEL)
    set(problem "needs MODEL")
  elseif(NOT CXX IN_LIST languages)
    set(problem "needs the language CXX: project(... LANGUAGES CXX)")
  elseif(NOT generated AND NOT EXISTS ${model})
    set(problem "finds no MODEL ${model}")
  elseif(MSVC)
    set(problem "needs GCC or Clang (CMAKE_CXX_COMPILER=clang++): generated code uses their vector extensions")
  elseif((arg_CHAT_TEMPLATE OR arg_GRAMMAR OR arg_JSON_SCHEMA) AND NOT arg_TOKENIZER)
    set(problem "needs TOKENIZER beside CHAT_TEMPLATE, GRAMMAR and JSON_SCHEMA")
  elseif(arg_GRAMMAR AND arg_JSON_SCHEMA)
    set(problem "takes GRAMMAR or JSON_SCHEMA, not both")
  elseif(arg_ENCODER AND NOT arg_DECODER)
    set(problem "needs DECODER beside ENCODER")
  endif()
  if(problem)
    message(FATAL_ERROR "add_onnx_library(${name}) ${problem}")
  endif()

  _sinter_command(sinter)
  set(target ${arg_TARGET})
  if(NOT target)
    _sinter_default_target(target)
  endif()
  _sinter_check_target(${sinter} ${target} ${name})

  set(prefix ${arg_PREFIX})
  if(NOT prefix)
    string(REGEX REPLACE "[^A-Za-z0-9_]" "_" prefix ${name})
    string(REGEX REPLACE "^([0-9])" "x_\\1" prefix ${prefix})
  endif()
  set(flags --prefix ${prefix} --target ${target} --dims-as cmake --quiet)
  foreach(dim IN LISTS arg_DIMS)
    list(APPEND flags --dim ${dim})
  endforeach()
  foreach(sizes IN LISTS arg_SPECIALIZE)
    list(APPEND flags --specialize ${sizes})
  endforeach()
  foreach(description IN LISTS arg_CUSTOM_OPS)
    get_filename_component(description ${description} ABSOLUTE)
    if(NOT EXISTS ${description})
      message(FATAL_ERROR "add_onnx_library(${name}) finds no CUSTOM_OPS ${description}")
    endif()
    list(APPEND flags --custom-ops ${description})
  endforeach()
  foreach(adapter IN LISTS arg_ADAPTER)
    set(called "") # sql=lora: it is switched on and off by this name
    if(adapter MATCHES "^([A-Za-z_][A-Za-z0-9_]*=)(.+)$" AND NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${adapter})
      set(called ${CMAKE_MATCH_1})
      set(adapter ${CMAKE_MATCH_2})
    endif()
    get_filename_component(adapter ${adapter} ABSOLUTE)
    if(NOT EXISTS ${adapter})
      message(FATAL_ERROR "add_onnx_library(${name}) finds no ADAPTER ${adapter}")
    endif()
    list(APPEND flags --adapter ${called}${adapter})
  endforeach()
  if(arg_THREADS)
    list(APPEND flags --threads ${arg_THREADS})
  endif()
  get_filename_component(file ${model} NAME)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/onnx/${name})
  set(made ${folder}/${prefix})
  # A model for GPUs has device code beside its source, and no wrapper for C++.
  set(more ${made}.hpp)
  if("${target}" MATCHES "^cuda(-|$)")
    set(more ${made}.cu)
  endif()
  # Behind an encoder there are programs before the decoder: the encoder, and what makes keys and values of cross-attention where the encoder does not. Whether
  # there is the second one is known once sinter has run; else its file is empty.
  set(programs ${made})
  set(unsure "")
  set(encoder "")
  if(arg_ENCODER)
    _sinter_model("${arg_ENCODER}" encoder generated)
    if(NOT generated AND NOT EXISTS ${encoder})
      message(FATAL_ERROR "add_onnx_library(${name}) finds no ENCODER ${encoder}")
    endif()
    list(APPEND flags --encoder ${encoder})
    list(APPEND programs ${made}_encoder ${made}_cross)
    list(APPEND unsure ${made}_cross.cpp)
  endif()
  # Of several CPUs each behind the first has a source and flags of its own.
  set(sources "")
  set(cpus "")
  if(NOT target MATCHES "^{")
    string(REPLACE "," ";" cpus "${target}")
    list(REMOVE_AT cpus 0)
  endif()
  foreach(program IN LISTS programs)
    if(NOT "${program}" STREQUAL "${made}")
      list(APPEND sources ${program}.cpp)
    endif()
    foreach(cpu IN LISTS cpus)
      string(MAKE_C_IDENTIFIER ${cpu} cpu)
      list(APPEND sources ${program}_${cpu}.cpp)
      if("${program}" STREQUAL "${made}_cross")
        list(APPEND unsure ${program}_${cpu}.cpp)
      endif()
      list(APPEND more ${made}_${cpu}.flags)
      set_source_files_properties(${program}_${cpu}.cpp PROPERTIES COMPILE_OPTIONS @${made}_${cpu}.flags OBJECT_DEPENDS ${made}_${cpu}.flags)
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES more)
  if(arg_DECODER)
    list(APPEND flags --decoder)
    list(APPEND sources ${made}_session.cpp)
    list(APPEND more ${made}_session.h)
  endif()
  set(text_sources "")
  if(arg_TOKENIZER)
    _sinter_add_tokenizer(${sinter} ${made}_tokens "${arg_TOKENIZER}" text_sources
      --chat-template "${arg_CHAT_TEMPLATE}" chat --grammar "${arg_GRAMMAR}" grammar --json-schema "${arg_JSON_SCHEMA}" grammar)
  endif()
  if("${target}" MATCHES "^wasm32") # a folder would be an npm package
    _sinter_add_module(${name} ${sinter} ${model} ${folder}/lib${prefix}.a ${made} "${flags};${arg_OPTIONS}" "${text_sources}")
    return()
  endif()
  if(arg_EMULATED_GPU)
    get_filename_component(emulated ${arg_EMULATED_GPU} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
    list(APPEND flags --emulated-gpu ${emulated})
    list(APPEND more ${emulated})
  endif()
  add_custom_command(
    OUTPUT ${made}.cpp ${sources} ${made}.h ${more} ${made}.flags ${made}.libs ${made}_report.json ${made}_report.txt # the depfile's rule is for the first
    COMMAND ${CMAKE_COMMAND} -E rm -f ${made}.libs ${unsure}
    COMMAND ${sinter} ${model} -o ${folder}/ ${flags} ${arg_OPTIONS} -MD -MF ${made}.d
    COMMAND ${CMAKE_COMMAND} -E touch ${made}.libs ${unsure} # most nets call no library, and the linker looks all the same
    DEPENDS ${model} ${encoder} ${sinter} DEPFILE ${made}.d COMMENT "Compiling ${file} for ${target}" VERBATIM)

  add_library(${name} STATIC ${made}.cpp ${sources} ${made}.h ${more} ${text_sources})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${folder}>)
  target_compile_features(${name} PRIVATE cxx_std_17)
  if("${target}" MATCHES "^cuda(-|$)")
    set_source_files_properties(${more} PROPERTIES HEADER_FILE_ONLY TRUE) # the device code is compiled, and lies in ${made}.cpp
    target_link_libraries(${name} PUBLIC ${CMAKE_DL_LIBS})
  endif()
  # Which libraries the net calls is known once sinter has run, too: the linker reads a file, or the compiler does, before all objects: an
  # order that zig's linkers do not mind.
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Generic")
    _sinter_linker_takes_file(takesFile)
    if(takesFile)
      target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:-Wl,@"${made}.libs">)
    else()
      target_link_options(${name} INTERFACE $<BUILD_INTERFACE:@${made}.libs>)
    endif()
  endif()
  # The flags of the target are known once sinter has run. A build without a type would not be optimized at all, nor one for debugging. Linkers that optimize
  # assemble at link time, when nobody says any more in which folder the weights lie.
  target_compile_options(${name} PRIVATE $<$<CONFIG:>:-O2> $<$<AND:$<CONFIG:Debug>,$<BOOL:${SINTER_OPTIMIZE_DEBUG}>>:-O2> -fno-lto @${made}.flags)
  set_target_properties(${name} PROPERTIES CXX_CLANG_TIDY "" CXX_CPPCHECK "" CXX_CPPLINT "" CXX_INCLUDE_WHAT_YOU_USE "") # for a project's own
endfunction()
