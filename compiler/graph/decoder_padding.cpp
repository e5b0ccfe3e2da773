// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward from each cache through what moves and turns its rows to whatever reads them, which has to be an attention
// that the mask hides rows from, or one that is told how many rows each sequence has. Positions have to be given for
// each sequence, or follow from the mask or from such counts.
#include "graph/decoder_padding.h"

#include "graph/decoder_caches.h"
#include "graph/node_match.h"

using namespace mlir;

namespace sinter {
namespace {

/// Operators that move rows of their first operand.
constexpr StringRef movingFirst[] = {"Identity", "Cast",   "Reshape", "Transpose", "Slice",   "Squeeze", "Unsqueeze",
                                     "Split",    "Expand", "Tile",    "Gather",    "Flatten", "GatherND"};
/// And those whose result is made number by number.
constexpr StringRef byNumber[] = {"Add", "Sub", "Mul",   "Div",     "Neg",         "Where",
                                  "And", "Or",  "Not",   "Min",     "Less",        "Max",
                                  "Xor", "Abs", "Equal", "Greater", "LessOrEqual", "GreaterOrEqual"};
/// What scores go through on their way to a softmax.
constexpr StringRef ofScores[] = {"Add",  "Sub",  "Mul",     "Div",     "Where",     "Identity", "Cast",
                                  "Tanh", "Clip", "Reshape", "Squeeze", "Unsqueeze", "Max"};
/// And its weights on their way to values.
constexpr StringRef ofWeights[] = {"Identity",  "Cast",    "Reshape", "Squeeze",
                                   "Unsqueeze", "Dropout", "Where",   "Transpose"};

/// Attentions by one operator, with the operands that hold rows of caches and those that say which ones count.
struct MaskedOperator {
  StringRef domain, type;
  std::array<int, 4> rows;
  std::array<int, 2> masks;
};
constexpr StringRef contributed = "com.microsoft";
constexpr MaskedOperator maskedOperators[] = {
    {"", "Attention", {1, 2, 4, 5}, {3, 3}},
    {contributed, "Attention", {4, 4, 4, 4}, {3, 3}},
    {contributed, "MultiHeadAttention", {1, 2, 6, 7}, {4, 5}},
};
constexpr unsigned groupedPastKey = 3, groupedPastValue = 4, groupedLastRows = 5, groupedTotal = 6, groupedBias = 10;

bool isOf(NodeOp node, ArrayRef<StringRef> types) {
  return node && node.getDomain().empty() && llvm::is_contained(types, node.getOpType());
}
bool isGrouped(NodeOp node) {
  return node && node.getDomain() == contributed && node.getOpType() == "GroupQueryAttention";
}
bool hasOperand(NodeOp node, unsigned operand) {
  return operand < node.getInputs().size() && !node.getInputs()[operand].getDefiningOp<AbsentOp>();
}

class PaddingQuestion {
public:
  PaddingQuestion(func::FuncOp main, const Decoder &decoder) : main(main), decoder(decoder) {}

  std::optional<std::string> answer() {
    for (auto question : {&PaddingQuestion::askInputs, &PaddingQuestion::askCaches, &PaddingQuestion::askPositions})
      if (std::optional<std::string> problem = (this->*question)())
        return problem;
    return std::nullopt;
  }

private:
  using Problem = std::optional<std::string>;

  /// Whether the numbers of an input are those of each sequence, one behind the other.
  bool isPerSequence(const DecoderTensor &tensor) const {
    if (tensor.sizes.empty())
      return false;
    auto known = decoder.dims.find(tensor.symbols[0]);
    return tensor.symbols[0].empty() ? decoder.batch && tensor.sizes[0] == *decoder.batch
                                     : known != decoder.dims.end() && known->second == DimRole::Batch;
  }
  bool isArgument(Value value, InputRole role) const {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner()->getParentOp() != main)
      return false;
    auto known = decoder.inputs.find(decoderInput(main, argument.getArgNumber()).name);
    return known != decoder.inputs.end() && known->second == role;
  }

  Problem askInputs() {
    for (unsigned i = 0; i < main.getNumArguments(); ++i) {
      DecoderTensor input = decoderInput(main, i);
      auto known = decoder.inputs.find(input.name);
      if (known == decoder.inputs.end())
        continue;
      InputRole role = known->second;
      if (role != InputRole::Positions && role != InputRole::Mask && role != InputRole::Held &&
          role != InputRole::Total && role != InputRole::LastRow)
        continue;
      bool isOfAll = role == InputRole::Total && isReadAs(main.getArgument(i), groupedTotal);
      if (!isOfAll && !isPerSequence(input))
        return "'" + input.name + "' is the same for all sequences";
      if (role == InputRole::Mask && input.sizes.size() < 2)
        return "'" + input.name + "' says of no row whether it counts";
      constexpr size_t mostDims = 2; // three: of a picture frame, row and column
      if (role == InputRole::Positions && input.sizes.size() > mostDims)
        return "'" + input.name + "' has several positions of a row";
      if ((role == InputRole::Held || role == InputRole::Total || role == InputRole::LastRow) && !isOfAll &&
          !isReadAs(main.getArgument(i), groupedLastRows))
        return "'" + input.name + "' counts rows for more than GroupQueryAttention";
    }
    return std::nullopt;
  }

  /// Whether all that reads a number, also in another form, is this operand of GroupQueryAttention.
  static bool isReadAs(Value value, unsigned operand) {
    return !value.use_empty() && llvm::all_of(value.getUses(), [&](OpOperand &use) {
      auto node = dyn_cast<NodeOp>(use.getOwner());
      if (isGrouped(node))
        return use.getOperandNumber() == operand;
      return isOf(node, {"Identity", "Cast", "Reshape", "Squeeze", "Unsqueeze"}) && use.getOperandNumber() == 0 &&
             isReadAs(node->getResult(0), operand);
    });
  }

  Problem askCaches() {
    for (const DecoderCache &cache : decoder.caches) {
      if (cache.kind == CacheKind::Counter)
        return "'" + cache.inputName + "' counts rows of all sequences";
      if (cache.kind == CacheKind::Whole)
        return "'" + cache.inputName + "' is a state that each token changes, also one of padding";
      if (Problem problem = askReaders(main.getArgument(cache.input), cache.kind))
        return "of the cache '" + cache.inputName + "' " + *problem;
    }
    return std::nullopt;
  }

  /// Rows of a cache of fixed size lie where the model puts them: that these are each sequence's own places is known of
  /// GroupQueryAttention.
  Problem askReaders(Value cache, CacheKind kind) {
    llvm::DenseSet<Value> seen;
    std::vector<Value> waiting = {cache};
    while (!waiting.empty()) {
      Value rows = waiting.back();
      waiting.pop_back();
      if (!seen.insert(rows).second)
        continue;
      for (OpOperand &use : rows.getUses()) {
        if (use.getOwner() == main.getBody().front().getTerminator())
          continue;
        auto node = dyn_cast<NodeOp>(use.getOwner());
        unsigned operand = use.getOperandNumber();
        if (isOf(node, {"Shape", "Size"}) || hides(node, operand))
          continue;
        bool isMoved = isOf(node, {"Concat", "Add", "Sub", "Mul", "Div", "Neg"}) ||
                       (operand == 0 && isOf(node, movingFirst)) || (operand > 0 && isOf(node, {"Where"}));
        if (!isMoved || kind == CacheKind::Fixed)
          return "rows are read by " + (node ? node.getOpType().str() : std::string("a part of the graph")) +
                 ", from which no mask hides them";
        llvm::append_range(waiting, node->getResults());
      }
    }
    return std::nullopt;
  }

  /// Whether an operator that reads rows of a cache reads none of the padding.
  bool hides(NodeOp node, unsigned operand) {
    if (!node)
      return false;
    auto inputs = node.getInputs();
    if (isOf(node, {"MatMul"}))
      return operand == 1 && (becomeMasked(node->getResult(0), false) || areMaskedWeights(inputs[0]));
    if (isGrouped(node))
      return (operand == groupedPastKey || operand == groupedPastValue) && !hasOperand(node, groupedBias) &&
             countsRows(inputs[groupedLastRows]);
    for (const MaskedOperator &known : maskedOperators)
      if (node.getDomain() == known.domain && node.getOpType() == known.type &&
          llvm::is_contained(known.rows, static_cast<int>(operand)))
        return llvm::any_of(known.masks, [&](int mask) {
          return hasOperand(node, static_cast<unsigned>(mask)) && isOfMask(inputs[static_cast<unsigned>(mask)]);
        });
    return false;
  }

  /// Scores, up to each softmax that reads them: whether the mask changes them before.
  bool becomeMasked(Value scores, bool isMasked) {
    bool isRead = false;
    for (OpOperand &use : scores.getUses()) {
      auto node = dyn_cast<NodeOp>(use.getOwner());
      if (isOf(node, {"Shape"}))
        continue;
      isRead = true;
      if (isOf(node, {"Softmax"})) {
        if (!isMasked)
          return false;
        continue;
      }
      if (!isOf(node, ofScores))
        return false;
      bool changes = false;
      if (isOf(node, {"Add", "Where"}))
        for (auto [i, other] : llvm::enumerate(node.getInputs()))
          changes |= i != use.getOperandNumber() && isOfMask(other);
      if (!becomeMasked(node->getResult(0), isMasked || changes))
        return false;
    }
    return isRead;
  }

  /// Back from what values are multiplied by to a softmax of scores that the mask has changed.
  bool areMaskedWeights(Value weights) {
    auto node = weights.getDefiningOp<NodeOp>();
    if (isOf(node, {"Softmax"}))
      return areMaskedScores(node.getInputs()[0]);
    return isOf(node, ofWeights) && llvm::any_of(node.getInputs(), [&](Value each) { return areMaskedWeights(each); });
  }
  bool areMaskedScores(Value scores) {
    auto node = scores.getDefiningOp<NodeOp>();
    if (!isOf(node, ofScores))
      return false;
    bool changes = isOf(node, {"Add", "Where"});
    return llvm::any_of(node.getInputs(),
                        [&](Value each) { return (changes && isOfMask(each)) || areMaskedScores(each); });
  }

  /// Whether a value has the mask's numbers, one for each row, by whatever moves and compares them.
  bool isOfMask(Value value) {
    auto [known, isNew] = ofMask.try_emplace(value, false);
    if (!isNew)
      return known->second;
    auto node = value.getDefiningOp<NodeOp>();
    bool is = isArgument(value, InputRole::Mask);
    if (isOf(node, movingFirst))
      is = isOfMask(node.getInputs()[0]);
    else if (isOf(node, byNumber) || isOf(node, {"Concat"}))
      is = llvm::any_of(node.getInputs(), [&](Value each) { return isOfMask(each); });
    else if (isOf(node, {"ScatterND", "ScatterElements"})) // mask[..., :n] = ..., as exporters write it
      is = isOfMask(node.getInputs()[0]) || isOfMask(node.getInputs()[2]);
    ofMask[value] = is;
    return is;
  }

  /// Whether a value says of each sequence which row is its last: as an input, or as the sum of its mask.
  bool countsRows(Value value) {
    if (isArgument(value, InputRole::LastRow))
      return true;
    auto node = value.getDefiningOp<NodeOp>();
    if (isOf(node, {"ReduceSum"}))
      return isOfMask(node.getInputs()[0]);
    return (isOf(node, movingFirst) || isOf(node, {"Sub", "Add"})) && countsRows(node.getInputs()[0]);
  }

  /// Positions of one sequence must not count rows of padding.
  Problem askPositions() {
    for (const auto &input : decoder.inputs)
      if (input.second == InputRole::Positions)
        return std::nullopt;
    bool isOfMaskAlone = false, isCounted = false;
    main.walk([&](NodeOp node) {
      isOfMaskAlone |= isOf(node, {"CumSum"}) && isOfMask(node.getInputs()[0]);
      isCounted |= isOf(node, {"Range", "CumSum", "NonZero", "Loop", "Scan"}) ||
                   (isOf(node, {"Slice"}) && node.getInputs()[0].getDefiningOp<WeightOp>());
    });
    if (isOfMaskAlone || !isCounted)
      return std::nullopt;
    return "no input gives positions, and the model counts them itself";
  }

  mutable func::FuncOp main; // whose accessors are not const
  const Decoder &decoder;
  llvm::DenseMap<Value, bool> ofMask;
};

} // namespace

std::optional<std::string> whyNoPadding(func::FuncOp main, const Decoder &decoder) {
  return PaddingQuestion(main, decoder).answer();
}

} // namespace sinter
