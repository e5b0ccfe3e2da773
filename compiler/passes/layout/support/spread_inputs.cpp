// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spread_inputs.h"

#include "blocked_layout.h"
#include "disjoint_windows.h"

#include "interpreter/interpreter.h"
#include "ir/spreads.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sinter {
namespace {

bool takesSpreads(ConvOp conv, const Target &target) {
  auto input = dyn_cast<RankedTensorType>(conv.getInput().getType());
  auto output = dyn_cast<RankedTensorType>(conv.getInits()[0].getType());
  EvaluationCache cache;
  return !target.isGpu() && input && output && !input.isDynamicDim(1) && !output.isDynamicDim(1) &&
         isa<Float32Type, Float16Type>(input.getElementType()) && conv.getLayout() == "nchw" && !spreadsOf(conv) &&
         conv.getEpilogueInputs().empty() && conv.getStrides().size() <= 3 && isConstant(conv.getFilter(), cache) &&
         (conv.getGroup() == 1 || hasFilterPerChannel(conv)) &&
         llvm::all_of(conv.getStrides(), [](int64_t stride) { return stride == 1; });
}

} // namespace

void foldSpreads(ModuleOp module, const Target &target) {
  module.walk([&](ConvOp conv) {
    auto insert = conv.getInput().getDefiningOp<tensor::InsertSliceOp>();
    auto fill = insert ? insert.getDest().getDefiningOp<linalg::FillOp>() : nullptr;
    if (!fill || insert.hasUnitStride() || !matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
        insert.getSourceType().getRank() != insert.getDestType().getRank() ||
        shuffleDisjointWindows(conv, insert, target) || !takesSpreads(conv, target))
      return;
    SmallVector<int64_t> pads(conv.getPads()), spreads;
    for (auto [d, offset, step] : llvm::enumerate(insert.getMixedOffsets(), insert.getMixedStrides())) {
      std::optional<int64_t> low = getConstantIntValue(offset), spread = getConstantIntValue(step);
      bool isWhole = insert.getSourceType().getDimSize(d) == insert.getDestType().getDimSize(d);
      if (!low || !spread || (d < 2 && (*low != 0 || *spread != 1 || !isWhole)))
        return;
      if (d >= 2) {
        pads[d - 2] += *low;
        spreads.push_back(*spread);
      }
    }
    conv.getInputMutable().assign(insert.getSource());
    conv.setPads(pads);
    setSpreads(conv, spreads);
  });
}

} // namespace sinter
