// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands at the head of a generated source: checks of the compiler and of its flags, matters of style.
#pragma once

#include "codegen/amalgamate.h"
#include "codegen/text/printer.h"
#include "target/target.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sinter {

/// Lines that speak to GCC and Clang: where other compilers read the source too, only those get to see them.
void printForGnu(Printer &out, const Target &target, llvm::function_ref<void()> print);
/// What a build without the target's features, or with arithmetic that is not IEEE's, is told.
void printGuards(Printer &out, const Target &target);
/// Products and sums stay apart unless the source says fma, or the user does not mind (--fast).
void printContraction(Printer &out, const Target &target, bool fast);
/// The parts of our library, of which a source may leave some unused.
void printLibraryText(Printer &out, const Amalgamation &library, const Target &target);
/// C++17 is asked for before all includes, whose own messages would hide this one.
void printStandard(Printer &out);
/// Warnings that would speak of nothing wrong are off to the end of the source.
void printSilenced(Printer &out, const Target &target);

} // namespace sinter
