// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinter-emit: planned IR -> sources, for tests of codegen.
#include "codegen/codegen.h"
#include "cuda/gpu.h"
#include "ir/dialect.h"
#include "memory/missing_spaces.h"
#include "memory/write_weights.h"
#include "pipeline/dialects.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace sinter;

namespace {

bool writeFile(const Twine &path, StringRef contents) {
  std::error_code error;
  llvm::raw_fd_ostream out(path.str(), error);
  if (error)
    return false;
  out << contents;
  out.close();
  return !out.has_error();
}

} // namespace

int main(int argc, char **argv) {
  llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::Required, llvm::cl::desc("planned.mlir"));
  llvm::cl::opt<std::string> folder("o", llvm::cl::Required, llvm::cl::desc("folder for the output"));
  llvm::cl::opt<std::string> prefix("prefix", llvm::cl::init("model"));
  llvm::cl::opt<std::string> weightsForm("weights", llvm::cl::init("incbin"));
  llvm::cl::opt<std::string> target("target", llvm::cl::init("x86-64-v2"));
  llvm::cl::opt<std::string> templates("templates", llvm::cl::desc("folder with templates/ and runtime-lite/"));
  llvm::cl::opt<int> threads("threads", llvm::cl::init(1), llvm::cl::desc("shares of a kernel's work"));
  llvm::cl::opt<int64_t> sharedWork("shared-work", llvm::cl::init(1 << 17),
                                    llvm::cl::desc("least work that is shared"));
  llvm::cl::opt<bool> scalar("scalar", llvm::cl::desc("no vector lanes"));
  llvm::cl::ParseCommandLineOptions(argc, argv);

  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(input, &context);
  if (!module)
    return 2;
  CodegenOptions options;
  options.prefix = prefix;
  options.weights = weightsForm;
  options.compiler = "sinter-emit";
  options.vectorize = !scalar;
  options.threads = threads;
  options.leastSharedWork = sharedWork;
  options.templatesFolder = templates;
  std::string problem;
  std::optional<Target> found = findAnyTarget(target, problem);
  if (!found) {
    llvm::errs() << problem << "\n";
    return 1;
  }
  options.target = *found;
  WeightsImage weights(options.target.alignment);
  std::vector<GeneratedFile> files;
  Diagnostics diagnostics;
  auto append = [&](ArrayRef<char> bytes, Type element) { return weights.append(bytes, numbersOf(element)); };
  if (reportMissingSpaces(*module, options.target, diagnostics) ||
      failed(writeWeights(*module, append, diagnostics, options.target.alignment)) ||
      failed(generate(*module, options, weights, files))) {
    diagnostics.print(llvm::errs(), input);
    return 2;
  }
  llvm::sys::fs::create_directories(folder);
  for (const GeneratedFile &file : files)
    if (!writeFile(folder + "/" + file.name, file.contents))
      return 1;
  if (hasWeightsFile(options, weights) && weights.writeTo(folder + "/" + weightsFileName(options)))
    return 1;
  return 0;
}
