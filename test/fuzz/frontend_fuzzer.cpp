// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a model: the importer must end in a valid module or in diagnostics, within its budgets.
// frontend_seeds.py writes a corpus to start from.
#include "frontend/import.h"

#include "ir/dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace sinter;

/// Small budgets, so that the fuzzer reaches them, and so that no input takes long.
static ImportOptions smallBudgets() {
  ImportOptions options;
  options.limits.metadataUnits = 200000;
  options.limits.nodes = options.limits.tensors = options.limits.expandedNodes = 2000;
  options.limits.expandedBytes = 1 << 16;
  options.limits.expandedBytesTotal = 1 << 18;
  for (const char *symbol : {"N", "batch", "x:0"})
    options.dims[symbol] = {1, 4};
  options.overridable.insert("w");
  return options;
}

/// LLVM's archives are built without the sanitizer, so their half of its allocators does not unpoison.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const ImportOptions options = smallBudgets();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Diagnostics diagnostics;
  ModelSummary summary;
  auto bytes = llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(reinterpret_cast<const char *>(data), size));
  auto module = importModelBytes(std::move(bytes), "", options, context, diagnostics, &summary);
  diagnostics.print(llvm::nulls(), "model");
  if (!module != diagnostics.hasErrors())
    abort();
  if (module && mlir::failed(mlir::verify(*module)))
    abort();
  if (module)
    module->print(llvm::nulls());
  return 0;
}
