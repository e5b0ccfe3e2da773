// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model that is compiled for several CPUs (--target x86-64-v2,x86-64-v3). kws.cpp has the code for the first of them,
// which is the least, the weights, the interface, and the choice: kws_run runs the code for the last CPU of which the
// machine has all features. Each other CPU's code is a source of its own, since compilers take flags by source. All
// read one image of weights and lie in one arena.
#pragma once

#include "codegen/abi/abi_header.h"
#include "codegen/text/printer.h"

namespace sinter {

/// "kws_x86_64_v3": of the source for another CPU, and of its flags.
std::string fileStemOf(const ModelNames &names, const Target &cpu);
/// In kws.cpp, within namespace sinter: `runOnThisCpu`, if there are several.
void printCpuChoice(Printer &out, const ModelNames &names, const CodegenOptions &options);
/// Before that, outside of namespaces: what it calls.
void printCpuDeclarations(Printer &out, const ModelNames &names, const CodegenOptions &options);
/// At the end of the source for another CPU: what the choice calls.
void printCpuEntry(Printer &out, const ModelNames &names, const Target &cpu);

} // namespace sinter
