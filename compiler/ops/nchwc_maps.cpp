// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nchwc_maps.h"
#include "conversion.h"
#include "ops/domains.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace sinter {
namespace {
NodeOp definingNode(Operation *operation) { return dyn_cast_or_null<NodeOp>(operation); }

bool makesMap(NodeOp node) { return node.getDomain() == nchwcDomain && node.getOpType() != "ReorderOutput"; }

bool readsMap(NodeOp node, unsigned operand) {
  if (node.getDomain() != nchwcDomain || node.getOpType() == "ReorderInput")
    return false;
  return operand == 0 || operand == 3;
}

/// What it makes of each element depends on that element alone, and on its like in other maps; or it puts maps behind
/// each other along channels, of which each has whole blocks.
bool goesByElements(NodeOp node) {
  static const llvm::StringSet<> names{
      "Abs",       "Add",      "Clip",      "Div",  "Elu", "Erf",  "Exp",   "FastGelu", "Gelu",           "HardSigmoid",
      "HardSwish", "Identity", "LeakyRelu", "Max",  "Min", "Mish", "Mul",   "Neg",      "QuickGelu",      "Relu",
      "Sigmoid",   "Softplus", "Softsign",  "Sqrt", "Sub", "Sum",  "Swish", "Tanh",     "ThresholdedRelu"};
  if (!node.getDomain().empty() && node.getDomain() != "com.microsoft")
    return false;
  if (node.getOpType() == "Concat") {
    auto axis = dyn_cast_or_null<IntegerAttr>(node.getAttrs().get("axis"));
    return axis && axis.getInt() == 1;
  }
  return names.contains(node.getOpType()) && node.getNumResults() == 1;
}

bool isOneNumber(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return isa<AbsentType>(value.getType()) || (type && type.hasStaticShape() && type.getNumElements() == 1);
}

/// Only operators of this domain and those that go by elements meet the map `value`, and those that it meets in them.
bool isPlainMap(Value value) {
  llvm::SetVector<Value> together;
  together.insert(value);
  auto join = [&](NodeOp node) {
    for (Value other : node.getInputs())
      if (!isOneNumber(other))
        together.insert(other);
    together.insert(node.getResult(0));
  };
  for (size_t i = 0; i < together.size(); ++i) {
    NodeOp maker = definingNode(together[i].getDefiningOp());
    if (!maker || (!makesMap(maker) && !goesByElements(maker)))
      return false;
    if (!makesMap(maker))
      join(maker);
    for (OpOperand &use : together[i].getUses()) {
      NodeOp reader = definingNode(use.getOwner());
      if (!reader)
        return false;
      if (readsMap(reader, use.getOperandNumber()))
        continue;
      if (!goesByElements(reader))
        return false;
      join(reader);
    }
  }
  return true;
}

/// The number of channels that the model declares for a map, if it does.
std::optional<int64_t> declaredChannels(Value map) {
  auto type = dyn_cast<RankedTensorType>(map.getType());
  if (!type || type.getRank() != 4 || type.isDynamicDim(1))
    return std::nullopt;
  return type.getDimSize(1);
}

/// What one node tells of the size of blocks.
std::optional<int64_t> evidence(NodeOp node) {
  auto ofMap = [](std::optional<int64_t> channels) -> std::optional<int64_t> { // whole blocks
    return channels && *channels % 16 == 8 ? std::optional<int64_t>(8) : std::nullopt;
  };
  auto ofPadded = [&](std::optional<int64_t> channels, std::optional<int64_t> padded) -> std::optional<int64_t> {
    if (channels && padded && *padded - *channels >= 8)
      return 16;
    return ofMap(padded);
  };
  if (node.getOpType() == "ReorderInput") {
    auto last = dyn_cast_or_null<IntegerAttr>(node.getAttrs().get("channels_last"));
    auto type = dyn_cast<RankedTensorType>(node.getInputs()[0].getType());
    if (!type || type.getRank() != 4)
      return ofMap(declaredChannels(node.getResult(0)));
    int64_t channels = type.getDimSize(last && last.getInt() ? 3 : 1);
    return ofPadded(ShapedType::isDynamic(channels) ? std::nullopt : std::optional<int64_t>(channels),
                    declaredChannels(node.getResult(0)));
  }
  if (node.getOpType() == "ReorderOutput") {
    auto channels = dyn_cast_or_null<IntegerAttr>(node.getAttrs().get("channels"));
    Value map = node.getInputs()[0];
    std::optional<int64_t> padded = declaredChannels(map);
    NodeOp maker = definingNode(map.getDefiningOp());
    auto filters = maker && maker.getOpType() == "Conv" && maker.getDomain() == nchwcDomain
                       ? dyn_cast<RankedTensorType>(maker.getInputs()[1].getType())
                       : RankedTensorType();
    if (!padded && filters && filters.getRank() == 4 && !filters.isDynamicDim(0))
      padded = filters.getDimSize(0);
    return ofPadded(channels ? std::optional<int64_t>(channels.getInt()) : std::nullopt, padded);
  }
  if (node.getOpType() != "Conv")
    return ofMap(declaredChannels(node.getInputs()[0]));
  auto filters = dyn_cast<RankedTensorType>(node.getInputs()[1].getType());
  if (!filters || filters.getRank() != 4 || filters.isDynamicDim(0) || filters.isDynamicDim(1))
    return std::nullopt;
  if (std::optional<int64_t> found = ofMap(filters.getDimSize(0)))
    return found;
  int64_t perGroup = filters.getDimSize(1);
  if (perGroup > 8)
    return perGroup % 8 ? std::optional<int64_t>(16) : ofMap(perGroup);
  // Eight channels are a block of 8, or too few for one of 16, and then the map is no map of blocks.
  NodeOp maker = definingNode(node.getInputs()[0].getDefiningOp());
  if (perGroup == 8 && maker && makesMap(maker))
    return 8;
  return std::nullopt;
}
} // namespace

FailureOr<int64_t> nchwcBlock(const Op &op) {
  Conversion &conversion = op.conversion;
  if (!conversion.nchwcBlock) {
    std::optional<int64_t> found;
    op.node->getParentOfType<ModuleOp>().walk([&](NodeOp node) {
      if (node.getDomain() == nchwcDomain)
        found = evidence(node);
      return found ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!found)
      return op.fail(Code::UnsupportedForm, "whether blocks have 8 or 16 channels follows from no node of the model",
                     "--nchwc-block 8 if it was optimized on a machine without AVX-512, such as one with AVX2, else "
                     "--nchwc-block 16; or optimize it with level extended, which writes no blocks");
    conversion.nchwcBlock = found;
  }
  return *conversion.nchwcBlock;
}

FailureOr<Tensor> plainMap(const Op &op, unsigned i, int64_t block) {
  Tensor x = op.input(i);
  Sizes sizes = op.sizes(x);
  std::optional<int64_t> channels = constantOf(sizes[1]);
  if (!channels)
    return op.fail(Code::ShapeNotConstant, "the number of channels is not known");
  if (*channels % block)
    return op.fail(Code::ShapeMismatch,
                   "a map of " + Twine(*channels) + " channels has no whole blocks of " + Twine(block));
  if (isPlainMap(op.node.getInputs()[i]))
    return x;
  Tensor blocks = op.reshape(x, {sizes[0], sizeOf(op.b, *channels / block), sizes[2], sizes[3], sizeOf(op.b, block)});
  return op.reshape(op.transpose(blocks, {0, 1, 4, 2, 3}), sizes);
}

Tensor resultMap(const Op &op, Tensor y, int64_t block) {
  if (isPlainMap(op.node.getResult(0)))
    return y;
  Sizes sizes = op.sizes(y);
  int64_t channels = *constantOf(sizes[1]);
  Tensor blocks = op.reshape(y, {sizes[0], sizeOf(op.b, channels / block), sizeOf(op.b, block), sizes[2], sizes[3]});
  return op.reshape(op.transpose(blocks, {0, 1, 3, 4, 2}), sizes);
}

} // namespace sinter
