// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpus.h"

#include "codegen/weights/weights_text.h"

namespace sinter {
namespace {

/// kws_run_on_x86_64_v3
PrintedCode functionOf(const ModelNames &names, const Target &cpu) {
  return PrintedCode(names.prefix, "_run_on_", Names().make(cpu.name));
}

PrintedCode parameters(const ModelNames &names) {
  return PrintedCode("(const ", names.prefix, "_inputs &in, ", names.prefix, "_outputs &out, const sinter_env &env)");
}

} // namespace

std::string fileStemOf(const ModelNames &names, const Target &cpu) {
  return (names.prefix.text() + "_" + Names().make(cpu.name).text()).str();
}

void printCpuDeclarations(Printer &out, const ModelNames &names, const CodegenOptions &options) {
  for (const Target &cpu : options.otherCpus)
    out.line("extern \"C\" ", hiddenAttribute(cpu), "int ", functionOf(names, cpu), parameters(names), ";");
}

void printCpuChoice(Printer &out, const ModelNames &names, const CodegenOptions &options) {
  if (options.otherCpus.empty())
    return;
  out.blank();
  out.comment("The code for the last CPU of which this one has all features.");
  auto block = out.block("int runOnThisCpu", parameters(names));
  for (const Target &cpu : llvm::reverse(options.otherCpus)) {
    std::vector<PrintedCode> conditions;
    for (const std::string &feature : cpu.checks)
      if (!llvm::is_contained(options.target.checks, feature)) // what is checked before
        conditions.push_back(PrintedCode("__builtin_cpu_supports(", StringLiteral(feature), ")"));
    if (cpu.usesTileRegisters() && !options.target.usesTileRegisters())
      conditions.push_back("mayUseTileRegisters()");
    out.line("if (", joinCode(conditions, " && "), ")");
    out.line("  return ", functionOf(names, cpu), "(in, out, env);");
  }
  out.line("return run(in, out, env);");
}

void printCpuEntry(Printer &out, const ModelNames &names, const Target &cpu) {
  out.line("} // namespace");
  out.line("} // namespace sinter");
  out.blank();
  out.line("extern \"C\" ", hiddenAttribute(cpu), "int ", functionOf(names, cpu), parameters(names),
           " { return sinter::run(in, out, env); }");
}

} // namespace sinter
