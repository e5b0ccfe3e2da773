// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What helps to build the output: the flags that it asks of a compiler, and a CMake file that declares it as a library.
#pragma once

#include "codegen/abi/abi_header.h"

namespace sinter {
/// Compiler flags of generated sources, besides -std and -O.
std::vector<std::string> sourceFlags(const Target &target);
/// The same as a response file: a build system can name it (`@kws.flags`) before there is one.
std::string printFlags(const Target &target);
/// What programs are linked with: "-ljpeg".
std::vector<std::string> linkFlags(llvm::ArrayRef<std::string> libraries);
/// The sources of the library, by name, and which CPU each is for where it is not the first: what build files list.
struct LibrarySource {
  std::string file;
  const Target *otherCpu = nullptr;
};
std::vector<LibrarySource> librarySources(const ModelNames &names, const CodegenOptions &options);
std::string printCMake(const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                       llvm::ArrayRef<DeviceImageFile> images = {});
} // namespace sinter
