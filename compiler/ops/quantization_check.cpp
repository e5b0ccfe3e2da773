// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scales and zero points of all quantized operators, before any is lowered: what the standard forbids gets a diagnostic
// that names the node and the operand.
#include "quantization.h"

#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;

namespace sinter {

namespace {
/// How many scales and zero points there are: one for the tensor, or one for each of its filters, rows or columns.
/// Those of Free are checked where they are lined up. Blocks: of weights, whose scales may be negative or 0.
enum class Spread { Free, One, Filters, Rows, Columns, Blocks };

/// Operands that belong together, by number; -1: there is none.
struct CheckedParameters {
  int x, scale, zero;
  Spread spread;
};
struct Checked {
  StringRef domain, name;
  SmallVector<CheckedParameters, 3> parameters;
};

const std::vector<Checked> &checkedOperators() {
  constexpr Spread Free = Spread::Free, One = Spread::One, Rows = Spread::Rows, Columns = Spread::Columns;
  const StringRef standard = "", contrib = "com.microsoft";
  static const std::vector<Checked> all = {
      {standard, "QuantizeLinear", {{-1, 1, 2, Free}}},
      {standard, "DequantizeLinear", {{0, 1, 2, Free}}},
      {standard, "QLinearConv", {{0, 1, 2, One}, {3, 4, 5, Spread::Filters}, {-1, 6, 7, One}}},
      {standard, "QLinearMatMul", {{0, 1, 2, Rows}, {3, 4, 5, Columns}, {-1, 6, 7, One}}},
      {standard, "ConvInteger", {{0, -1, 2, One}, {1, -1, 3, Spread::Filters}}},
      {standard, "MatMulInteger", {{0, -1, 2, Rows}, {1, -1, 3, Columns}}},
      {contrib, "QuantizeLinear", {{-1, 1, 2, Free}}},
      {contrib, "DequantizeLinear", {{0, 1, 2, Free}}},
      {contrib, "QGemm", {{0, 1, 2, One}, {3, 4, 5, Columns}, {-1, 7, 8, One}}},
      {contrib, "MatMulIntegerToFloat", {{0, 2, 4, One}, {1, 3, 5, Columns}}},
      {contrib, "DynamicQuantizeMatMul", {{1, 2, 3, Columns}}},
      {contrib, "MatMulNBits", {{-1, 2, -1, Spread::Blocks}}},
      {contrib, "QLinearAdd", {{0, 1, 2, One}, {3, 4, 5, One}, {0, 6, 7, One}}},
      {contrib, "QLinearMul", {{0, 1, 2, One}, {3, 4, 5, One}, {0, 6, 7, One}}},
      {contrib, "QLinearSigmoid", {{0, 1, 2, One}, {0, 3, 4, One}}},
      {contrib, "QLinearLeakyRelu", {{0, 1, 2, One}, {0, 3, 4, One}}},
      {contrib, "QLinearSoftmax", {{0, 1, 2, One}, {0, 3, 4, One}}},
      {contrib, "QLinearReduceMean", {{0, 1, 2, One}, {0, 3, 4, One}}},
      {contrib, "QLinearAveragePool", {{0, 1, 2, One}, {0, 3, 4, One}}},
      {contrib, "QLinearGlobalAveragePool", {{0, 1, 2, One}, {0, 3, 4, One}}},
      {contrib, "QLinearWhere", {{1, 2, 3, One}, {4, 5, 6, One}, {1, 7, 8, One}}},
      {contrib, "QLinearConcat", {{-1, 0, 1, One}}}, // and each part: parametersOf
  };
  return all;
}

SmallVector<CheckedParameters> parametersOf(const Op &op) {
  NodeOp node = op.node;
  SmallVector<CheckedParameters> found;
  for (const Checked &entry : checkedOperators())
    if (entry.name == node.getOpType() && entry.domain == node.getDomain())
      llvm::append_range(found, entry.parameters);
  if (!found.empty() && node.getOpType() == "QLinearConcat")
    for (int i = 2; i + 2 < static_cast<int>(op.inputCount()); i += 3)
      found.push_back({i, i + 1, i + 2, Spread::One});
  if (!found.empty() && node.getOpType() == "DequantizeLinear" && op.integer("block_size") > 0)
    found.front().spread = Spread::Blocks;
  return found;
}

class QuantizationChecker {
public:
  explicit QuantizationChecker(const Op &op) : op(op) {}

  LogicalResult check(const CheckedParameters &p) const {
    bool hasScale = given(p.scale), hasZero = given(p.zero);
    if (hasScale && failed(checkScale(p)))
      return failure();
    if (!hasZero)
      return success();
    Tensor zero = op.input(p.zero);
    if (given(p.x) && zero.element != op.input(p.x).element)
      return report("zero point", p.zero,
                    "is of " + elementTypeName(zero.element) + ", and operand " + Twine(p.x) + " of " +
                        elementTypeName(op.input(p.x).element),
                    "a zero point has the element type of what is quantized");
    if (failed(checkCount("zero point", p.zero, p)))
      return failure();
    // Contractions take one zero point for filters that have a scale each.
    bool areLinedUp = p.spread == Spread::Free || p.spread == Spread::Blocks;
    if (hasScale && areLinedUp && zero.type().hasStaticShape() && op.input(p.scale).type().hasStaticShape() &&
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
  /// How many parameters there may be besides one, and of what.
  std::optional<std::pair<int64_t, StringRef>> most(const CheckedParameters &p) const {
    if (!given(p.x) || p.spread == Spread::One)
      return std::nullopt;
    Tensor x = op.input(p.x);
    bool isTurned = p.spread == Spread::Columns && op.integer("transB");
    int64_t axis = p.spread == Spread::Filters ? 0 : x.rank() - (p.spread == Spread::Rows || isTurned ? 2 : 1);
    StringRef what = p.spread == Spread::Filters ? "filter" : p.spread == Spread::Rows ? "row" : "column";
    return std::pair(axis < 0 || axis >= x.rank() ? 1 : x.shape()[axis], what);
  }

  LogicalResult checkCount(const char *what, int operand, const CheckedParameters &p) const {
    auto type = op.input(operand).type();
    int64_t count = type.hasStaticShape() ? type.getNumElements() : 1;
    if (count == 0)
      return report(what, operand, "is empty", "give it a number");
    // With more dims than one each row of a batch may have its own: where they broadcast, conversion says.
    if (count == 1 || p.spread == Spread::Free || p.spread == Spread::Blocks ||
        (p.spread != Spread::One && type.getRank() > 1))
      return success();
    auto others = most(p);
    if (!others)
      return report(what, operand, "is no number", "this operator takes one " + Twine(what) + " for the whole tensor");
    if (ShapedType::isDynamic(others->first) || others->first == count)
      return success();
    return report(what, operand, "has " + Twine(count) + " elements",
                  "operand " + Twine(p.x) + " takes one, or one for each " + others->second + ": " +
                      Twine(others->first));
  }

  LogicalResult report(const char *what, int operand, const Twine &problem, const Twine &hint) const {
    return op.fail(Code::InvalidQuantization, "the " + Twine(what) + " (operand " + Twine(operand) + ") " + problem,
                   hint);
  }

  LogicalResult checkScale(const CheckedParameters &p) const {
    if (failed(checkCount("scale", p.scale, p)))
      return failure();
    std::optional<SmallVector<double>> values = op.constantReals(p.scale);
    if (!values)
      return success();
    for (auto [i, scale] : llvm::enumerate(*values))
      if (!std::isfinite(scale) || (p.spread != Spread::Blocks && scale <= 0))
        return report("scale", p.scale,
                      "is " + text(scale) + (values->size() == 1 ? "" : " at index " + std::to_string(i)),
                      p.spread == Spread::Blocks
                          ? "a scale is a finite number; quantize the weights again"
                          : "a scale is a positive, finite number; calibrate again, or give what is constant a scale "
                            "of 1");
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
  for (const CheckedParameters &parameters : parametersOf(op))
    if (failed(QuantizationChecker(op).check(parameters)))
      return failure();
  return success();
}

} // namespace sinter
