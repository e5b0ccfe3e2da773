// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands at the head of a generated source: checks of the compiler and of its flags, matters of style.
#pragma once

#include "codegen/text/printer.h"
#include "target/target.h"

namespace sinter {

/// What a build without the target's features, or with arithmetic that is not IEEE's, is told.
void printGuards(Printer &out, const Target &target);
/// Products and sums stay apart unless the source says fma, or the user does not mind (--fast).
void printContraction(Printer &out, bool fast);
/// C++17 is asked for before all includes, whose own messages would hide this one.
void printStandard(Printer &out);
/// Warnings that would speak of nothing wrong are off to the end of the source.
void printSilenced(Printer &out, const Target &target);

} // namespace sinter
