// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --io quantized, on node IR: a float input that is only quantized (behind reshapes and transposes, if any) becomes an
// input of that integer type, an output that DequantizeLinear makes becomes an output of what it reads. Q and DQ at the
// edge go; scale and zero point stand at the argument or result for the ABI (`sinter.scale`, `sinter.zero_point`), as
// does the reason why a float stays one (`sinter.stays_float`). Probabilities, an output that a Softmax makes of
// dequantized bytes, become bytes in steps of 1/256, as TensorFlow Lite has them. Inputs and outputs marked
// `sinter.state` are left alone.
#include "passes.h"

#include "form_nodes.h"
#include "ir/element_type.h"
#include "node_match.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <cmath>

using namespace mlir;

namespace sinter {
namespace {

struct Quantization {
  double scale = 0;
  int64_t zero = 0;
  Type type; ///< of elements, as node IR has them

  bool operator==(const Quantization &other) const {
    return scale == other.scale && zero == other.zero && type == other.type;
  }
};

std::string described(NodeOp node) {
  auto name = dyn_cast<NameLoc>(node.getLoc());
  return (name ? "node '" + name.getName().str() + "' (" : "a node (") + node.getOpType().str() + ")";
}

bool isCalled(NodeOp node, StringRef opType) {
  return node && node.getOpType() == opType && (node.getDomain().empty() || node.getDomain() == "com.microsoft");
}

/// A node that moves the elements of its first operand and does not look at them.
bool movesQuantized(NodeOp node) {
  static const char *const moving[] = {"Reshape", "Transpose", "Flatten", "Squeeze", "Unsqueeze", "Identity"};
  return node && node.getDomain().empty() && llvm::is_contained(moving, node.getOpType());
}

/// The constant behind Identity nodes, if it has one element.
ElementsAttr oneElement(Value value) {
  while (NodeOp identity = producer(value, "Identity"))
    value = identity.getInputs()[0];
  auto weight = value.getDefiningOp<WeightOp>();
  return weight && weight.getValue().getNumElements() == 1 ? weight.getValue() : ElementsAttr();
}

/// What a QuantizeLinear makes or a DequantizeLinear reads: 8- or 16-bit integers, one scale and zero point that are
/// constants.
std::optional<Quantization> quantizationOf(NodeOp node) {
  auto scale = dyn_cast_or_null<DenseFPElementsAttr>(oneElement(node.getInputs()[1]));
  if (!scale || !scale.getElementType().isF32())
    return std::nullopt;
  Quantization result;
  result.scale = scale.getSplatValue<APFloat>().convertToFloat();
  if (!(result.scale > 0) || std::isinf(result.scale)) // conversion says what is wrong with it
    return std::nullopt;
  bool hasZero = node.getInputs().size() > 2 && !isa<AbsentType>(node.getInputs()[2].getType());
  if (hasZero) {
    auto zero = dyn_cast_or_null<DenseIntElementsAttr>(oneElement(node.getInputs()[2]));
    if (!zero)
      return std::nullopt;
    result.type = zero.getElementType();
    APInt number = zero.getSplatValue<APInt>();
    result.zero = isUnsignedInteger(elementTypeOf(result.type)) ? static_cast<int64_t>(number.getZExtValue())
                                                                : number.getSExtValue();
  } else if (node.getOpType() == "QuantizeLinear") {
    auto stated = static_cast<ElementType>(integerAttribute(node, "output_dtype").value_or(0));
    result.type = nodeType(stated == ElementType::Undefined ? ElementType::UInt8 : stated, node.getContext());
  } else if (auto read = dyn_cast<RankedTensorType>(node.getInputs()[0].getType())) {
    result.type = read.getElementType();
  }
  if (!result.type || !result.type.isInteger())
    return std::nullopt;
  unsigned bits = result.type.getIntOrFloatBitWidth();
  return bits == 8 || bits == 16 ? std::optional(result) : std::nullopt;
}

void retype(Value value, Type element) {
  if (auto ranked = dyn_cast<RankedTensorType>(value.getType()))
    value.setType(ranked.clone(element));
}

class EdgeQuantizer {
public:
  explicit EdgeQuantizer(func::FuncOp main) : main(main), builder(main.getContext()) {}

  void run() {
    for (unsigned i = 0; i < main.getNumArguments(); ++i) {
      Value input = main.getArgument(i);
      if (!isFloat32(input.getType()))
        continue;
      std::optional<Quantization> found;
      std::string reason = main.getArgAttr(i, "sinter.state") ? "it is state" : readAs(input, found);
      if (reason.empty())
        quantizeBehind(input, *found);
      for (NamedAttribute each : note(found, reason))
        main.setArgAttr(i, each.getName(), each.getValue());
    }
    Operation *end = main.getBody().front().getTerminator();
    for (OpOperand &output : end->getOpOperands()) {
      unsigned i = output.getOperandNumber();
      if (!mayBeFloat(output.get()))
        continue;
      if (!main.getResultAttr(i, "sinter.state"))
        quantizeProbabilities(output);
      std::optional<Quantization> found;
      std::string reason = main.getResultAttr(i, "sinter.state") ? "it is state" : takeQuantized(output, found);
      for (NamedAttribute each : note(found, reason))
        main.setResultAttr(i, each.getName(), each.getValue());
    }
    main.setFunctionType(
        builder.getFunctionType(main.getBody().front().getArgumentTypes(), llvm::to_vector(end->getOperandTypes())));
  }

private:
  static bool isFloat32(Type type) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    return ranked && ranked.getElementType().isF32();
  }

  /// Of an output whose type nobody states, only what makes it tells.
  static bool mayBeFloat(Value value) {
    return isFloat32(value.getType()) || (!isa<RankedTensorType>(value.getType()) && dequantizer(value));
  }

  NamedAttrList note(const std::optional<Quantization> &found, StringRef reason) {
    NamedAttrList attributes;
    if (!reason.empty()) {
      attributes.set("sinter.stays_float", builder.getStringAttr(reason));
      return attributes;
    }
    attributes.set("sinter.scale", builder.getF32FloatAttr(static_cast<float>(found->scale)));
    attributes.set("sinter.zero_point", builder.getI64IntegerAttr(found->zero));
    return attributes;
  }

  /// Why `value` cannot be integers; empty if all that is done with it is one quantization, which is then in `found`.
  static std::string readAs(Value value, std::optional<Quantization> &found) {
    if (value.use_empty())
      return "nothing reads it";
    for (OpOperand &use : value.getUses()) {
      auto node = dyn_cast<NodeOp>(use.getOwner());
      if (!node)
        return "it is an output too";
      if (movesQuantized(node) && use.getOperandNumber() == 0) {
        if (std::string reason = readAs(node->getResult(0), found); !reason.empty())
          return reason;
        continue;
      }
      if (!isCalled(node, "QuantizeLinear") || use.getOperandNumber() != 0)
        return described(node) + " reads it as float";
      std::optional<Quantization> one = quantizationOf(node);
      if (!one)
        return described(node) + " has no single constant scale and zero point of 8 or 16 bits";
      if (found && !(*found == *one))
        return "it is quantized in several ways";
      found = one;
    }
    return "";
  }

  static void quantizeBehind(Value value, const Quantization &quantization) {
    retype(value, quantization.type);
    for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
      auto node = cast<NodeOp>(use.getOwner());
      if (movesQuantized(node)) {
        quantizeBehind(node->getResult(0), quantization);
        continue;
      }
      node->getResult(0).replaceAllUsesWith(value);
      node->erase();
    }
  }

  /// The DequantizeLinear that makes a value, behind movements with no other user.
  static NodeOp dequantizer(Value value) {
    auto node = value.getDefiningOp<NodeOp>();
    while (movesQuantized(node) && node->getResult(0).hasOneUse())
      node = node.getInputs()[0].getDefiningOp<NodeOp>();
    return isCalled(node, "DequantizeLinear") ? node : NodeOp();
  }

  /// Q and DQ behind a Softmax of bytes.
  static void quantizeProbabilities(OpOperand &output) {
    NodeOp softmax = producer(output.get(), "Softmax");
    NodeOp last = softmax ? producer(softmax.getInputs()[0], "DequantizeLinear") : NodeOp();
    std::optional<Quantization> read = last ? quantizationOf(last) : std::nullopt;
    auto type = dyn_cast<RankedTensorType>(output.get().getType());
    if (!read || !read->type.isInteger(8) || !type)
      return;
    OpBuilder b(output.getOwner());
    auto weight = [&](Type element, Attribute number) -> Value {
      auto scalar = RankedTensorType::get({}, element);
      return b.create<WeightOp>(softmax.getLoc(), scalar, DenseElementsAttr::get(scalar, number), StringAttr());
    };
    bool isUnsigned = isUnsignedInteger(elementTypeOf(read->type));
    Value edge[] = {output.get(), weight(b.getF32Type(), b.getF32FloatAttr(1.0f / 256)),
                    weight(read->type, b.getIntegerAttr(read->type, isUnsigned ? 0 : -128))};
    FormNodes nodes(b, softmax.getLoc());
    edge[0] = nodes.node("QuantizeLinear", 13, edge, type.clone(read->type));
    edge[0] = nodes.node("DequantizeLinear", 13, edge, type);
    output.set(edge[0]);
  }

  std::string takeQuantized(OpOperand &output, std::optional<Quantization> &found) {
    auto maker = output.get().getDefiningOp<NodeOp>();
    if (!maker)
      return "no node makes it";
    NodeOp last = dequantizer(output.get());
    if (!last)
      return described(maker) + " makes it as float";
    found = quantizationOf(last);
    if (!found)
      return described(last) + " has no single constant scale and zero point of 8 or 16 bits";
    if (maker == last) {
      output.set(last.getInputs()[0]);
    } else {
      for (NodeOp node = maker;; node = node.getInputs()[0].getDefiningOp<NodeOp>()) {
        retype(node->getResult(0), found->type);
        if (node.getInputs()[0] == last->getResult(0)) {
          node.getInputsMutable()[0].set(last.getInputs()[0]);
          break;
        }
      }
    }
    if (last->use_empty())
      last->erase();
    return "";
  }

  func::FuncOp main;
  Builder builder;
};

} // namespace

LogicalResult quantizeIo(ModuleOp module) {
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    EdgeQuantizer(main).run();
  return success();
}

} // namespace sinter
