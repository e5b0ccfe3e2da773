// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activation.h"

using namespace mlir;

namespace sinter {

FailureOr<Tensor> activated(Op &op, Tensor y, StringRef name, ArrayRef<double> parameters) {
  struct Known {
    StringRef name;
    int64_t since;
    SmallVector<std::pair<StringRef, double>> attributes; ///< with defaults
  };
  static const Known all[] = {{"Relu", 14, {}},
                              {"Sigmoid", 13, {}},
                              {"Tanh", 13, {}},
                              {"Softplus", 22, {}},
                              {"LeakyRelu", 16, {{"alpha", 0.01}}},
                              {"Elu", 22, {{"alpha", 1}}},
                              {"HardSigmoid", 22, {{"alpha", 0.2}, {"beta", 0.5}}},
                              {"Clip", 6, {{"min", -3.4028234663852886e38}, {"max", 3.4028234663852886e38}}}};
  if (name.empty())
    return y;
  const Known *known = llvm::find_if(all, [&](const Known &k) { return k.name == name; });
  if (known == std::end(all))
    return op.unsupported("the fused activation '" + name + "'", "export the model without fusion");
  SmallVector<NamedAttribute> attributes;
  for (auto [i, attribute] : llvm::enumerate(known->attributes)) {
    double value = i < parameters.size() ? parameters[i] : attribute.second;
    attributes.push_back(op.b.getNamedAttr(attribute.first, op.b.getF32FloatAttr(value)));
  }
  auto made = op.call(known->name, known->since, y, attributes);
  return failed(made) ? FailureOr<Tensor>(failure()) : (*made)[0];
}

} // namespace sinter
