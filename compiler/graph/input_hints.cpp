// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph/input_hints.h"

#include "graph/node_match.h"
#include "ir/element_type.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace sinter {
namespace {

/// Where an operator takes indices, and what these are of, along which axis.
struct IndexedOperand {
  StringRef type;
  unsigned indices, data;
  StringRef axis = "axis";
};

/// Operators of ONNX, and some of com.microsoft. Of packed numbers their scales have as many rows, whatever becomes of
/// the bytes on their way.
constexpr IndexedOperand indexed[] = {
    {"Gather", 1, 0},
    {"GatherElements", 1, 0},
    {"ScatterElements", 1, 0},
    {"Scatter", 1, 0},
    {"GatherND", 1, 0},
    {"ScatterND", 1, 0},
    {"EmbedLayerNormalization", 0, 2},
    {"EmbedLayerNormalization", 1, 4},
    {"GatherBlockQuantized", 1, 2, "gather_axis"},
};

/// The same numbers, in another form.
constexpr StringRef passing[] = {"Identity", "Cast",      "Reshape", "Unsqueeze", "Squeeze", "Flatten",
                                 "Expand",   "Transpose", "Slice",   "Tile",      "Concat",  "Clip"};

/// The type of a value, or, where nobody states it, of what it has the shape of: tables are stored in other types than
/// they are read in.
RankedTensorType shapedType(Value value) {
  constexpr StringRef keeping[] = {"Identity", "Cast", "DequantizeLinear", "QuantizeLinear"};
  constexpr unsigned deepest = 8;
  for (unsigned depth = 0; depth < deepest; ++depth) {
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      return type;
    auto node = value.getDefiningOp<NodeOp>();
    if (!node || !llvm::is_contained(keeping, node.getOpType()) || node->getNumOperands() == 0)
      break;
    value = node->getOperand(0);
  }
  return RankedTensorType();
}

/// Of one reader: the least dim that an index may be along.
std::optional<int64_t> sizeIn(NodeOp node, const IndexedOperand &operand) {
  auto data = operand.data < node->getNumOperands() ? shapedType(node->getOperand(operand.data)) : RankedTensorType();
  if (!data || data.getRank() == 0)
    return std::nullopt;
  bool isAlongAxis = !operand.type.ends_with("ND");
  int64_t axis = integerAttribute(node, operand.axis).value_or(0), least = INT64_MAX;
  axis += axis < 0 ? data.getRank() : 0;
  for (int64_t dim = 0; dim < data.getRank(); ++dim)
    if (!data.isDynamicDim(static_cast<unsigned>(dim)) && (!isAlongAxis || dim == axis))
      least = std::min(least, data.getDimSize(static_cast<unsigned>(dim)));
  return least == INT64_MAX ? std::nullopt : std::optional(least);
}

/// The fewest rows among all that read `value`, or what has its numbers.
int64_t leastSizeOf(Value value, llvm::SmallPtrSetImpl<Operation *> &seen) {
  int64_t least = INT64_MAX;
  for (OpOperand &use : value.getUses()) {
    auto node = dyn_cast<NodeOp>(use.getOwner());
    if (!node || !seen.insert(node).second)
      continue;
    for (const IndexedOperand &operand : indexed)
      if (node.getOpType() == operand.type && use.getOperandNumber() == operand.indices)
        least = std::min(least, sizeIn(node, operand).value_or(INT64_MAX));
    bool isPassed = use.getOperandNumber() == 0 || node.getOpType() == "Concat";
    if (isPassed && llvm::is_contained(passing, node.getOpType()) && node->getNumResults() > 0)
      least = std::min(least, leastSizeOf(node->getResult(0), seen));
  }
  return least;
}

StringRef textAttribute(NodeOp node, StringRef name) {
  auto text = dyn_cast_or_null<StringAttr>(node.getAttrs().get(name));
  return text ? text.getValue() : "";
}

/// Text becomes numbers in a Cast, in front of which only its order and shape change, and in a CastMap.
bool isReadAsNumbers(Value value, llvm::SmallPtrSetImpl<Operation *> &seen) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    auto node = dyn_cast<NodeOp>(use.getOwner());
    if (!node || !seen.insert(node).second)
      return false;
    if (node.getOpType() == "CastMap")
      return textAttribute(node, "cast_to") != "TO_STRING";
    if (node.getOpType() == "Cast")
      return integerAttribute(node, "to") != static_cast<int64_t>(ElementType::String);
    bool isPassed = use.getOperandNumber() == 0 || node.getOpType() == "Concat";
    return isPassed && llvm::is_contained(passing, node.getOpType()) && node->getNumResults() > 0 &&
           isReadAsNumbers(node->getResult(0), seen);
  });
}

/// Vocabularies of a DictVectorizer, and places of a CastMap.
void addKeys(Value value, InputHints &hints) {
  for (Operation *user : value.getUsers()) {
    auto node = dyn_cast<NodeOp>(user);
    if (node && node.getOpType() == "CastMap" && textAttribute(node, "map_form") == "SPARSE")
      hints.rows = integerAttribute(node, "max_map").value_or(0);
    if (!node || node.getOpType() != "DictVectorizer")
      continue;
    if (auto words = dyn_cast_or_null<ArrayAttr>(node.getAttrs().get("string_vocabulary")))
      for (auto word : words.getAsRange<StringAttr>())
        hints.texts.push_back(word.str());
    if (auto numbers = dyn_cast_or_null<DenseI64ArrayAttr>(node.getAttrs().get("int64_vocabulary")))
      llvm::append_range(hints.integers, numbers.asArrayRef());
  }
}

} // namespace

llvm::StringMap<InputHints> inputHintsOf(ModuleOp module) {
  llvm::StringMap<InputHints> all;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (BlockArgument input : main.getArguments()) {
    auto name = main.getArgAttrOfType<StringAttr>(input.getArgNumber(), "sinter.name");
    if (!name)
      continue;
    InputHints &hints = all[name.getValue()];
    llvm::SmallPtrSet<Operation *, 16> indexing, reading;
    if (int64_t least = leastSizeOf(input, indexing); least > 0 && least != INT64_MAX)
      hints.rows = least;
    hints.isNumbers = isReadAsNumbers(input, reading);
    auto extents = main.getArgAttrOfType<DictionaryAttr>(input.getArgNumber(), "sinter.extents");
    if (auto count = extents ? extents.getAs<DenseI64ArrayAttr>("count") : DenseI64ArrayAttr())
      std::tie(hints.leastCount, hints.mostCount) = std::pair(count[0], count[1]);
    if (isa<MapType>(input.getType()))
      addKeys(input, hints);
  }
  return all;
}

} // namespace sinter
