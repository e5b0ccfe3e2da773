// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "package.h"

#include "printer.h"

namespace sinter {

std::string printCMake(const Interface &interface, const ModelNames &names, const CodegenOptions &options) {
  const Identifier &prefix = names.prefix;
  Printer out;
  out.line("# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception");
  out.line("# include() this file and link the library ", prefix, ". Made by ", Comment(options.compiler), ".");
  out.line("add_library(", prefix, " STATIC ${CMAKE_CURRENT_LIST_DIR}/", prefix, ".cpp)");
  out.line("target_include_directories(", prefix, " PUBLIC ${CMAKE_CURRENT_LIST_DIR})");
  out.line("target_compile_features(", prefix, " PRIVATE cxx_std_17)");
  Code flags;
  for (const std::string &flag : options.target.compilerFlags())
    flags.append(" ", Code::trusted(flag));
  out.line("target_compile_options(", prefix, " PRIVATE -fno-exceptions -fno-rtti -ffp-contract=off", flags, ")");
  // The weights are read by the assembler, which no dependency scanner sees.
  out.line("if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/", prefix, "_weights.bin)");
  out.line("  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/", prefix,
           ".cpp PROPERTIES OBJECT_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/", prefix, "_weights.bin)");
  out.line("endif()");
  return out.take();
}

} // namespace sinter
