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

std::vector<LibrarySource> librarySources(const ModelNames &names, const CodegenOptions &options) {
  std::vector<LibrarySource> sources;
  auto add = [&](const ModelNames &program) {
    sources.push_back({program.prefix.text().str() + ".cpp"});
    for (const Target &cpu : options.otherCpus)
      sources.push_back({fileStemOf(program, cpu) + ".cpp", &cpu});
  };
  add(names);
  if (!options.session)
    return sources;
  for (const EncodeProgram *program : options.session->programs())
    add(ModelNames(program->prefix));
  sources.push_back({names.prefix.text().str() + "_session.cpp"});
  return sources;
}

std::string printCMake(const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                       llvm::ArrayRef<DeviceImageFile> images) {
  const Identifier &prefix = names.prefix;
  Printer out;
  out.line("# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception");
  out.line("# include() this file and link the library ", prefix, ". Made by ", Comment(options.compiler), ".");
  const std::vector<LibrarySource> sources = librarySources(names, options);
  PrintedCode listed;
  for (const LibrarySource &source : sources)
    listed.append(" ${CMAKE_CURRENT_LIST_DIR}/", PrintedCode::trusted(source.file));
  out.line("add_library(", prefix, " STATIC", listed, ")");
  out.line("target_include_directories(", prefix, " PUBLIC ${CMAKE_CURRENT_LIST_DIR})");
  out.line("target_compile_features(", prefix, " PRIVATE cxx_std_17)");
  PrintedCode flags;
  for (const std::string &flag : sourceFlags(options.target))
    flags.append(" ", PrintedCode::trusted(flag));
  out.line("target_compile_options(", prefix, " PRIVATE", flags, ")");
  for (const LibrarySource &source : sources) // behind the flags of the first CPU
    if (source.otherCpu)
      out.line("set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/", PrintedCode::trusted(source.file),
               " PROPERTIES COMPILE_OPTIONS \"",
               PrintedCode::trusted(llvm::join(source.otherCpu->compilerFlags(), ";")), "\")");
  if (options.target.isGpu())
    out.line("target_link_libraries(", prefix, " PUBLIC ${CMAKE_DL_LIBS})");
  std::vector<std::string> libraries = interface.libraries;
  std::vector<PrintedCode> programs = {prefix};
  if (options.session)
    for (const EncodeProgram *program : options.session->programs()) {
      programs.push_back(ModelNames(program->prefix).prefix);
      for (const std::string &library : program->interface.libraries)
        if (!llvm::is_contained(libraries, library))
          libraries.push_back(library);
    }
  if (!libraries.empty())
    out.line("target_link_libraries(", prefix, " PUBLIC ", PrintedCode::trusted(llvm::join(libraries, " ")), ")");
  out.line("if(NOT DEFINED SINTER_OPTIMIZE_DEBUG OR SINTER_OPTIMIZE_DEBUG) # a net that is not optimized is 25 times "
           "slower");
  out.line("  target_compile_options(", prefix, " PRIVATE $<$<OR:$<CONFIG:>,$<CONFIG:Debug>>:-O",
           PrintedCode::trusted(options.optimization), ">)");
  out.line("endif()");
  // What the assembler reads, which no dependency scanner sees.
  for (const PrintedCode &program : programs) {
    out.line("if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/", program, "_weights.bin)");
    out.line("  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/", program,
             ".cpp PROPERTIES OBJECT_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/", program, "_weights.bin)");
    out.line("endif()");
  }
  for (const DeviceImageFile &image : images)
    out.line("set_property(SOURCE ${CMAKE_CURRENT_LIST_DIR}/", prefix,
             ".cpp APPEND PROPERTY OBJECT_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/", PrintedCode::trusted(image.file), ")");
  return out.take();
}

} // namespace sinter
