// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model that generates is not trained. Exporters leave Dropout in training mode all the same (transformers' of GPT-2
// and OPT do), and onnxruntime takes it out. As it is written the text would depend on what is dropped at random. So
// its mode becomes that of inference, and drop_identities.cpp does the rest. A mode that the caller gives stays.
#include "passes.h"

#include "ir/dialect.h"

using namespace mlir;

namespace sinter {

LogicalResult settleDropout(ModuleOp module) {
  constexpr unsigned trainingMode = 2; // the input, which versions before 12 do not have
  module.walk([](NodeOp node) {
    if (node.getOpType() != "Dropout" || !node.getDomain().empty() || node.getInputs().size() <= trainingMode ||
        isa<BlockArgument>(node.getInputs()[trainingMode]))
      return;
    OpBuilder b(node);
    node.getInputsMutable()[trainingMode].set(b.create<AbsentOp>(node.getLoc()));
  });
  return success();
}

} // namespace sinter
