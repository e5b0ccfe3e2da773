// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "package.h"

#include "codegen/run/cpus.h"
#include "codegen/text/printer.h"

#include "llvm/ADT/StringExtras.h"

namespace sinter {

std::vector<std::string> sourceFlags(const Target &target) {
  std::vector<std::string> flags = {"-ffp-contract=off", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"};
  std::vector<std::string> own = target.compilerFlags();
  flags.insert(flags.end(), own.begin(), own.end());
  return flags;
}

std::string printFlags(const Target &target) { return llvm::join(sourceFlags(target), "\n") + "\n"; }

std::vector<std::string> linkFlags(llvm::ArrayRef<std::string> libraries) {
  std::vector<std::string> flags;
  for (const std::string &library : libraries)
    flags.push_back("-l" + library);
  return flags;
}

std::string printCMake(const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                       llvm::ArrayRef<DeviceImageFile> images) {
  const Identifier &prefix = names.prefix;
  Printer out;
  out.line("# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception");
  out.line("# include() this file and link the library ", prefix, ". Made by ", Comment(options.compiler), ".");
  PrintedCode others;
  for (const Target &cpu : options.otherCpus)
    others.append(" ${CMAKE_CURRENT_LIST_DIR}/", PrintedCode::trusted(fileStemOf(names, cpu)), ".cpp");
  if (options.session)
    others.append(" ${CMAKE_CURRENT_LIST_DIR}/", prefix, "_session.cpp");
  out.line("add_library(", prefix, " STATIC ${CMAKE_CURRENT_LIST_DIR}/", prefix, ".cpp", others, ")");
  out.line("target_include_directories(", prefix, " PUBLIC ${CMAKE_CURRENT_LIST_DIR})");
  out.line("target_compile_features(", prefix, " PRIVATE cxx_std_17)");
  PrintedCode flags;
  for (const std::string &flag : sourceFlags(options.target))
    flags.append(" ", PrintedCode::trusted(flag));
  out.line("target_compile_options(", prefix, " PRIVATE", flags, ")");
  for (const Target &cpu : options.otherCpus) // behind the flags of the first CPU
    out.line("set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/", PrintedCode::trusted(fileStemOf(names, cpu)),
             ".cpp PROPERTIES COMPILE_OPTIONS \"", PrintedCode::trusted(llvm::join(cpu.compilerFlags(), ";")), "\")");
  if (options.target.isGpu())
    out.line("target_link_libraries(", prefix, " PUBLIC ${CMAKE_DL_LIBS})");
  if (!interface.libraries.empty())
    out.line("target_link_libraries(", prefix, " PUBLIC ", PrintedCode::trusted(llvm::join(interface.libraries, " ")),
             ")");
  out.line("if(NOT DEFINED SINTER_OPTIMIZE_DEBUG OR SINTER_OPTIMIZE_DEBUG) # a net that is not optimized is 25 times "
           "slower");
  out.line("  target_compile_options(", prefix, " PRIVATE $<$<OR:$<CONFIG:>,$<CONFIG:Debug>>:-O2>)");
  out.line("endif()");
  // What the assembler reads, which no dependency scanner sees.
  out.line("if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/", prefix, "_weights.bin)");
  out.line("  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/", prefix,
           ".cpp PROPERTIES OBJECT_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/", prefix, "_weights.bin)");
  out.line("endif()");
  for (const DeviceImageFile &image : images)
    out.line("set_property(SOURCE ${CMAKE_CURRENT_LIST_DIR}/", prefix,
             ".cpp APPEND PROPERTY OBJECT_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/", PrintedCode::trusted(image.file), ")");
  return out.take();
}

} // namespace sinter
