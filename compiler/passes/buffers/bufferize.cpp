// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors become buffers: upstream's one-shot bufferization, told what is special here. Inputs are not writable, so the
// analysis copies before it would write over one. What remains are memref.alloc, for memory/plan.cpp to place, and
// memref.copy.
#include "passes/buffers/support/in_place_analysis.h"
#include "passes/passes.h"

#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"

using namespace mlir;
using namespace sinter;

namespace {

/// Constants are evaluated as tensor IR, so bufferization must not see their bodies: it works on read-only buffers
/// without them, and they are put back behind it.
class SetAsideConstants {
public:
  explicit SetAsideConstants(ModuleOp module) {
    SmallVector<ConstantOp> constants;
    module.walk([&](ConstantOp constant) {
      if (isa<RankedTensorType>(constant.getType()))
        constants.push_back(constant);
    });
    for (ConstantOp constant : constants) {
      auto type = cast<RankedTensorType>(constant.getType());
      OpBuilder builder(constant);
      auto buffer =
          builder.create<ConstantOp>(constant.getLoc(), MemRefType::get(type.getShape(), type.getElementType()),
                                     constant.getOffsetAttr(), constant.getNameAttr(), constant.getNumberAttr());
      auto tensor = builder.create<bufferization::ToTensorOp>(constant.getLoc(), buffer.getResult(), /*restrict=*/true);
      constant.replaceAllUsesWith(tensor.getResult());
      bodies.emplace_back(buffer, std::make_unique<Region>());
      bodies.back().second->takeBody(constant.getBody());
      constant.erase();
    }
  }
  ~SetAsideConstants() {
    for (auto &[constant, body] : bodies)
      constant.getBody().takeBody(*body);
  }

private:
  std::vector<std::pair<ConstantOp, std::unique_ptr<Region>>> bodies;
};

bufferization::OneShotBufferizationOptions makeOptions() {
  bufferization::OneShotBufferizationOptions options;
  // Where nothing says otherwise, a buffer is contiguous.
  options.unknownTypeConverterFn = [](Value value, Attribute space, const bufferization::BufferizationOptions &) {
    return bufferization::getMemRefTypeWithStaticIdentityLayout(cast<TensorType>(value.getType()), space);
  };
  return options;
}

} // namespace

LogicalResult sinter::bufferize(ModuleOp module) {
  {
    SetAsideConstants aside(module);
    bufferization::OneShotBufferizationOptions options = makeOptions();
    for (func::FuncOp function : module.getOps<func::FuncOp>()) {
      bufferization::OneShotAnalysisState state(function, options);
      if (failed(decideInPlace(function, state)) || failed(bufferization::insertTensorCopies(function, state)) ||
          failed(bufferization::bufferizeOp(function, options)))
        return failure();
    }
  }
  // The second round removes the copies of a buffer onto itself that the first makes visible.
  return failure(failed(simplify(module)) || failed(simplify(module)));
}
