// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scales and zero points of all quantized operators, before any is lowered: what the standard forbids gets a diagnostic
// that names the node and the operand.
#include "quantization.h"

#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;

namespace sinter {

namespace {
/// Operands that belong together, by number; -1: there is none. `scalar`: one number for the whole tensor.
struct Parameters {
  int x, scale, zero;
  bool scalar;
};
struct Checked {
  StringRef domain, name;
  SmallVector<Parameters, 3> parameters;
};

const std::vector<Checked> &checkedOperators() {
  static const std::vector<Checked> all = {
      {"", "QuantizeLinear", {{-1, 1, 2, false}}},
      {"", "DequantizeLinear", {{0, 1, 2, false}}},
      {"", "QLinearConv", {{0, 1, 2, true}, {3, 4, 5, false}, {-1, 6, 7, true}}},
      {"", "QLinearMatMul", {{0, 1, 2, false}, {3, 4, 5, false}, {-1, 6, 7, false}}},
      {"", "ConvInteger", {{0, -1, 2, true}, {1, -1, 3, false}}},
      {"", "MatMulInteger", {{0, -1, 2, false}, {1, -1, 3, false}}},
      {"com.microsoft", "QuantizeLinear", {{-1, 1, 2, false}}},
      {"com.microsoft", "DequantizeLinear", {{0, 1, 2, false}}},
      {"com.microsoft", "QGemm", {{0, 1, 2, true}, {3, 4, 5, false}, {-1, 7, 8, true}}},
      {"com.microsoft", "QLinearAdd", {{0, 1, 2, true}, {3, 4, 5, true}, {0, 6, 7, true}}},
      {"com.microsoft", "QLinearMul", {{0, 1, 2, true}, {3, 4, 5, true}, {0, 6, 7, true}}},
      {"com.microsoft", "QLinearSigmoid", {{0, 1, 2, true}, {0, 3, 4, true}}},
      {"com.microsoft", "QLinearLeakyRelu", {{0, 1, 2, true}, {0, 3, 4, true}}},
      {"com.microsoft", "QLinearSoftmax", {{0, 1, 2, true}, {0, 3, 4, true}}},
      {"com.microsoft", "QLinearReduceMean", {{0, 1, 2, true}, {0, 3, 4, true}}},
      {"com.microsoft", "QLinearAveragePool", {{0, 1, 2, true}, {0, 3, 4, true}}},
      {"com.microsoft", "QLinearGlobalAveragePool", {{0, 1, 2, true}, {0, 3, 4, true}}},
      {"com.microsoft", "QLinearWhere", {{1, 2, 3, true}, {4, 5, 6, true}, {1, 7, 8, true}}},
  };
  return all;
}

class Checker {
public:
  explicit Checker(const Op &op) : op(op) {}

  LogicalResult check(const Parameters &p) const {
    bool hasScale = given(p.scale), hasZero = given(p.zero);
    if (hasScale && failed(checkScale(p)))
      return failure();
    if (!hasZero)
      return success();
    Tensor zero = op.input(p.zero);
    if (given(p.x) && !isFloat(zero.element) && zero.element != op.input(p.x).element)
      return report("zero point", p.zero,
                    "is of " + elementTypeName(zero.element) + ", and operand " + Twine(p.x) + " of " +
                        elementTypeName(op.input(p.x).element),
                    "a zero point has the element type of what is quantized");
    if (p.scalar && !isNumber(zero))
      return report("zero point", p.zero, "is no number", "this operator takes one zero point for the whole tensor");
    if (hasScale && zero.type().hasStaticShape() && op.input(p.scale).type().hasStaticShape() &&
        zero.type().getNumElements() != op.input(p.scale).type().getNumElements())
      return report("zero point", p.zero,
                    "has " + Twine(zero.type().getNumElements()) + " elements, and its scale " +
                        Twine(op.input(p.scale).type().getNumElements()),
                    "each scale has one zero point");
    std::optional<SmallVector<int64_t>> values =
        zero.element == ElementType::Int32 ? op.constantIntegers(p.zero) : std::nullopt;
    if (values && llvm::any_of(*values, [](int64_t v) { return v != 0; }))
      return report("zero point", p.zero, "is not 0", "int32 is quantized without a zero point");
    return success();
  }

private:
  bool given(int operand) const { return operand >= 0 && op.has(operand); }
  static bool isNumber(Tensor x) { return !x.type().hasStaticShape() || x.type().getNumElements() == 1; }

  LogicalResult report(const char *what, int operand, const Twine &problem, const Twine &hint) const {
    return op.fail(Code::InvalidQuantization, "the " + Twine(what) + " (operand " + Twine(operand) + ") " + problem,
                   hint);
  }

  LogicalResult checkScale(const Parameters &p) const {
    if (p.scalar && !isNumber(op.input(p.scale)))
      return report("scale", p.scale, "is no number", "this operator takes one scale for the whole tensor");
    std::optional<SmallVector<double>> values = op.constantReals(p.scale);
    if (!values)
      return success();
    for (auto [i, scale] : llvm::enumerate(*values))
      if (!(scale > 0) || std::isinf(scale))
        return report("scale", p.scale,
                      "is " + text(scale) + (values->size() == 1 ? "" : " at index " + std::to_string(i)),
                      "a scale is a positive, finite number; calibrate again, or give what is constant a scale of 1");
    return success();
  }

  static std::string text(double value) {
    std::string result;
    llvm::raw_string_ostream(result) << llvm::format("%g", value);
    return result;
  }

  const Op &op;
};
} // namespace

LogicalResult checkQuantization(const Op &op) {
  NodeOp node = op.node;
  for (const Checked &entry : checkedOperators())
    if (entry.name == node.getOpType() && entry.domain == node.getDomain())
      for (const Parameters &parameters : entry.parameters)
        if (failed(Checker(op).check(parameters)))
          return failure();
  return success();
}

} // namespace sinter
