// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two headers that users include: kws.h (C99, the ABI) and kws.hpp (a thin C++ wrapper).
#pragma once

#include "codegen/codegen.h"
#include "codegen/text/printer.h"
#include "interface.h"

namespace sinter {

/// The names that all files of one model share.
struct ModelNames {
  Identifier prefix; ///< kws
  Identifier macro;  ///< KWS
  explicit ModelNames(llvm::StringRef wish);
};

std::string printAbiHeader(const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                           int64_t weightsBytes);
/// kws_example.c: a program that calls the model once, on zeros.
std::string printExample(const Interface &interface, const ModelNames &names, const CodegenOptions &options,
                         int64_t weightsBytes);
/// The same in parts, for programs with an entry of their own: buffers; a function run_once that returns a status, and
/// where that is SINTER_OK calls show("y", first element) for each output.
struct ExampleParts {
  std::string memory, run;
};
ExampleParts exampleParts(const Interface &interface, const ModelNames &names, const CodegenOptions &options);
/// Around the declarations of a header, for compilers of C and C++; the second also ends its guard.
void printDeclarationsBegin(Printer &out);
void printDeclarationsEnd(Printer &out);
std::string printWrapper(const Interface &interface, const ModelNames &names);
/// "// SPDX..., made by ..." that opens each file; `mark` is the language's comment sign.
void printOrigin(Printer &out, const Interface &interface, const CodegenOptions &options);

} // namespace sinter
