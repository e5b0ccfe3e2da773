// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter-import: prints the node IR of a .onnx file, for lit tests and for looking at what a model says. The importer:
// ../frontend/import.h.
#include "frontend/import.h"
#include "frontend/schema.h"
#include "pipeline/dialects.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {
/// "batch=4" or "seq=1..128".
bool parseDim(StringRef text, StringMap<sinter::DimValue> &dims) {
  auto [name, value] = text.rsplit('=');
  auto [low, high] = value.split("..");
  sinter::DimValue range;
  if (name.empty() || low.getAsInteger(10, range.min))
    return false;
  range.max = range.min;
  if (!high.empty() && high.getAsInteger(10, range.max))
    return false;
  dims[name] = range;
  return true;
}
} // namespace

int main(int argc, char **argv) {
  cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("model.onnx"));
  cl::list<std::string> dims("dim", cl::desc("SYMBOL=N, SYMBOL=MIN..MAX, INPUT:AXIS=N"));
  cl::list<std::string> overridable("overridable", cl::desc("an input with an initializer that stays an input"));
  cl::list<std::string> roots("external-root", cl::desc("a folder that may hold external data"));
  cl::opt<bool> untrusted("untrusted", cl::desc("refuse what a stranger's model should not do"));
  cl::opt<bool> strict("strict", cl::desc("refuse what ONNX does not allow though it can be read"));
  cl::opt<bool> locations("locations", cl::desc("print locations"));
  cl::opt<bool> summary("summary", cl::desc("print facts about the file instead of its IR"));
  cl::opt<int> elide("elide", cl::init(32), cl::desc("print constants of more elements as their type only; -1: none"));
  cl::ParseCommandLineOptions(argc, argv, "prints the node IR of an ONNX model\n");

  sinter::ImportOptions options;
  for (const std::string &dim : dims)
    if (!parseDim(dim, options.dims)) {
      errs() << "sinter-import: --dim " << dim << " is not NAME=N or NAME=MIN..MAX\n";
      return 1;
    }
  for (const std::string &name : overridable)
    options.overridable.insert(name);
  options.externalRoots = roots;
  options.untrusted = untrusted;
  options.strict = strict;

  mlir::DialectRegistry registry;
  sinter::registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  sinter::Diagnostics diagnostics;
  sinter::ModelSummary facts;
  auto module = sinter::importModel(input, options, context, diagnostics, summary ? &facts : nullptr);
  diagnostics.print(errs(), input);
  if (!module)
    return 2;
  if (summary) {
    outs() << "sha256 " << facts.sha256 << "\nbytes " << facts.bytes << "\nIR version " << facts.irVersion
           << "\nproducer " << facts.producer << "\n";
    for (const auto &[domain, version] : facts.opsets)
      outs() << "opset " << sinter::domainText(domain) << " " << version << "\n";
    for (const auto &file : facts.externalFiles)
      outs() << "external " << file.sha256 << " " << file.path << "\n";
    return 0;
  }
  mlir::OpPrintingFlags flags;
  if (elide >= 0)
    flags.elideLargeElementsAttrs(elide).elideLargeResourceString(elide);
  if (locations)
    flags.enableDebugInfo(true, /*prettyForm=*/false);
  module->print(outs(), flags);
  return mlir::failed(mlir::verify(*module)) ? 4 : 0;
}
