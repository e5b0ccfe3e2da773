// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks states, runs the pass, says what came of it.
#include "driver/quantized_edges.h"

#include "ops/states.h"

using namespace mlir;

namespace sinter {

LogicalResult quantizeEdges(ModuleOp module, ArrayRef<std::string> states, PassRunner &runner,
                            Diagnostics &diagnostics) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  Diagnostics wrongStates; // conversion reports them
  auto mark = UnitAttr::get(module.getContext());
  for (auto [output, input] : resolveStates(main, states, wrongStates).inputs) {
    main.setResultAttr(output, "sinter.state", mark);
    main.setArgAttr(input, "sinter.state", mark);
  }
  if (failed(runner.run("quantize-io", module)))
    return failure();
  bool any = false;
  auto tell = [&](StringRef kind, DictionaryAttr attributes) {
    any |= attributes && attributes.contains("sinter.scale");
    if (auto reason = attributes ? attributes.getAs<StringAttr>("sinter.stays_float") : StringAttr())
      diagnostics.note((kind + " '" + attributes.getAs<StringAttr>("sinter.name").getValue() +
                        "' stays float32: " + reason.getValue())
                           .str());
  };
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    tell("input", main.getArgAttrDict(i));
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    tell("output", main.getResultAttrDict(i));
  if (any)
    return success();
  diagnostics.report({Code::NothingQuantized,
                      "--io quantized: the model quantizes no input and dequantizes no output",
                      {},
                      "leave --io quantized away, or quantize the model: sinter quantize"});
  return failure();
}

} // namespace sinter
