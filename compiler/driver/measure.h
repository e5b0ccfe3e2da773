// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only a C++ compiler knows of a model, for the report of a library: size of the code, bound of the stack.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace sinter {

struct CodegenOptions;
struct Cxx;
class Staging;

/// What an ELF file asks memory for; of WebAssembly code and constants.
struct Sections {
  int64_t code = 0, constants = 0, data = 0, zeros = 0; ///< `constants` has the weights in it

  int64_t flash() const { return code + constants + data; }
};
Sections sectionsOf(llvm::StringRef elf);

struct Measured {
  int64_t codeBytes = 0;
  std::optional<int64_t> stackBytes; ///< nothing where a frame has no bound
  /// Of a microcontroller: an image of nothing but the model, the compiler's functions that it calls, and the mem
  /// functions.
  std::optional<Sections> linked;
  int64_t linkedWeights = 0; ///< part of the image's constants
};

/// Flags by which `cxx` tells what measure() reads.
std::vector<std::string> measuringFlags(const Cxx &cxx);
/// Of objects compiled with these.
Measured measure(llvm::ArrayRef<std::string> objects);
/// Fills in `linked`.
llvm::Error measureLinked(const Cxx &cxx, const Staging &staging, const CodegenOptions &options,
                          llvm::ArrayRef<std::string> objects, Measured &measured);
/// Bytes of the stack that a call needs at most, where the compiler lists frames (.su) but no calls (call_graph.h):
/// kernels do not call each other and nothing calls itself: the frames of all that is no kernel, and those of the
/// deepest kernel.
std::optional<int64_t> stackBound(llvm::StringRef frames);
/// Puts the numbers into the reports where these say "not measured".
void writeMeasured(const Staging &staging, llvm::StringRef prefix, const Measured &measured, llvm::StringRef compiler);

} // namespace sinter
