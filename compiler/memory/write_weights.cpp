// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates constants through the interpreter, in program order: the order in which the kernels read them. Those for
// RAM come first.
#include "write_weights.h"

#include "accesses.h"
#include "aliases.h"
#include "interpreter/interpreter.h"
#include "ir/float_range.h"

#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

/// Weights may be large, and are what the user asked for: the limits keep a hostile model from running for days.
EvaluationBudget budgetForWeights() {
  EvaluationBudget budget;
  budget.tensorBytes = int64_t(8) << 30;
  budget.totalBytes = int64_t(16) << 30;
  budget.points = int64_t(1) << 38;
  return budget;
}

/// For those who ask whether arithmetic with these floats may give NaN. Vectors suffice: what has more dims is weights.
void noteLargest(ConstantOp constant, const HostTensor &tensor) {
  if (!isFloatKind(tensor.kind()) || llvm::count_if(tensor.shape(), [](int64_t size) { return size != 1; }) > 1)
    return;
  double largest = 0;
  for (int64_t i = 0; i < tensor.size(); ++i) {
    double element = std::fabs(tensor.numberAt(i));
    if (!std::isfinite(element))
      return;
    largest = std::max(largest, element);
  }
  constant->setAttr(largestAttribute, Builder(constant.getContext()).getF64FloatAttr(largest));
}

/// Why a constant has no contents, in words of the model, or of the compiler where that is to blame.
LogicalResult report(ConstantOp constant, NoValue why, Diagnostics &diagnostics) {
  ModelPlace place;
  if (auto name = constant->getLoc()->findInstanceOf<NameLoc>())
    place.node = name.getName().str();
  if (why == NoValue::Unknown)
    return constant.emitError("a constant cannot be evaluated");
  if (why == NoValue::Refused)
    diagnostics.report({Code::ShapeMismatch, "an index or a size in a constant is out of range", place, ""});
  else
    diagnostics.report({Code::TooManyElements, "a constant takes more than 8 GiB or 2^38 steps to compute", place,
                        "compute it before, and store it in the model as an initializer"});
  return failure();
}

LogicalResult write(ConstantOp constant, AppendWeights append, Diagnostics &diagnostics, int64_t &end) {
  EvaluationCache cache;
  Value result = cast<YieldOp>(constant.getBody().front().getTerminator()).getValues().front();
  NoValue why = NoValue::Unknown;
  std::optional<HostTensor> tensor = evaluate(result, cache, budgetForWeights(), &why);
  if (!tensor)
    return report(constant, why, diagnostics);
  if (tensor->kind() == ElementKind::String) { // pointers are no bytes of a file: these stand in the source
    SmallVector<StringRef> texts;
    for (const std::string &text : tensor->strings())
      texts.push_back(text);
    constant->setAttr("sinter.strings", Builder(constant.getContext()).getStrArrayAttr(texts));
    return success();
  }
  noteLargest(constant, *tensor);
  int64_t size = static_cast<int64_t>(tensor->sizeInBytes());
  int64_t offset =
      append({tensor->bytes(), static_cast<size_t>(size)}, cast<MemRefType>(constant.getType()).getElementType());
  if (offset < 0)
    return failure(); // it knows why
  constant.setOffset(offset);
  end = std::max(end, offset + size);
  return success();
}

int64_t constantBytesOf(ConstantOp constant, Work &work) {
  Type element = cast<MemRefType>(constant.getType()).getElementType();
  return element.isIntOrFloat() ? work.elements(constant.getResult()) *
                                      static_cast<int64_t>(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8))
                                : 0;
}

/// The constants that a call reads most per byte, as far as they fit.
SmallVector<ConstantOp> hottest(ArrayRef<func::FuncOp> functions, int64_t room, int64_t alignment) {
  struct Candidate {
    ConstantOp constant;
    int64_t bytes;
    double heat;
  };
  std::vector<Candidate> candidates;
  Work work;
  for (func::FuncOp function : functions)
    function.walk<WalkOrder::PreOrder>([&](ConstantOp constant) {
      double accesses = 0;
      forEachTouch(constant.getResult(), [&](OpOperand &use) { accesses += accessedBytes(use, work); });
      if (int64_t bytes = constantBytesOf(constant, work))
        candidates.push_back({constant, bytes, accesses / static_cast<double>(bytes)});
      return WalkResult::skip();
    });
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) { return a.heat > b.heat; });
  SmallVector<ConstantOp> chosen;
  int64_t end = 0;
  for (const Candidate &candidate : candidates) {
    int64_t begin = llvm::alignTo(end, alignment);
    if (candidate.bytes > room - begin)
      continue;
    chosen.push_back(candidate.constant);
    end = begin + candidate.bytes;
  }
  return chosen;
}

} // namespace

LogicalResult writeWeights(ArrayRef<ModuleOp> planned, AppendWeights append, Diagnostics &diagnostics,
                           int64_t alignment, int64_t inRam) {
  SmallVector<func::FuncOp> functions;
  for (ModuleOp module : planned)
    llvm::append_range(functions, module.getOps<func::FuncOp>());
  int64_t ramEnd = 0;
  for (ConstantOp constant : inRam ? hottest(functions, inRam, alignment) : SmallVector<ConstantOp>())
    if (failed(write(constant, append, diagnostics, ramEnd)))
      return failure();
  for (func::FuncOp function : functions) {
    int64_t end = ramEnd;
    if (ramEnd)
      function->setAttr("sinter.weights_in_ram", Builder(function.getContext()).getI64IntegerAttr(ramEnd));
    WalkResult walked = function.walk<WalkOrder::PreOrder>([&](ConstantOp constant) {
      return !constant.getOffset() && failed(write(constant, append, diagnostics, end)) ? WalkResult::interrupt()
                                                                                        : WalkResult::skip();
    });
    if (walked.wasInterrupted())
      return failure();
    function->setAttr("sinter.weights_bytes", Builder(function.getContext()).getI64IntegerAttr(end));
  }
  return success();
}

} // namespace sinter
