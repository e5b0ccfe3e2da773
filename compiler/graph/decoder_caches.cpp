// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From each output back through what keeps rows of a cache where they are (Concat, scatters, caches of attention
// operators, movements) to the inputs that it can go on from. An input fits where type and rank are the same and no
// size that is known contradicts. What is left of a choice is decided by an input's name being like the output's.
// What no such way leads to may be the state of a recurrent layer (decoder_states.h).
#include "graph/decoder_caches.h"

#include "graph/decoder_states.h"
#include "graph/node_match.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sinter {
namespace {

/// Operators whose result goes on from an operand: rows are joined to it or written in it.
struct Carrying {
  StringRef domain, type;
  unsigned result, operand;
  CacheKind kind;
  int64_t axis; ///< of the rows; -1: the node's attribute says it
};

constexpr StringRef microsoft = "com.microsoft";
constexpr Carrying carryings[] = {
    {microsoft, "GroupQueryAttention", 1, 3, CacheKind::Fixed, 2},
    {microsoft, "GroupQueryAttention", 2, 4, CacheKind::Fixed, 2},
    {microsoft, "Attention", 1, 4, CacheKind::Grows, 3},
    {microsoft, "DecoderMaskedSelfAttention", 1, 4, CacheKind::Fixed, 3},
    {microsoft, "MultiHeadAttention", 1, 6, CacheKind::Grows, 2},
    {microsoft, "MultiHeadAttention", 2, 7, CacheKind::Grows, 2},
    {microsoft, "DecoderMaskedMultiHeadAttention", 1, 5, CacheKind::Fixed, 2},
    {microsoft, "DecoderMaskedMultiHeadAttention", 2, 6, CacheKind::Fixed, 2},
    {microsoft, "LinearAttention", 1, 3, CacheKind::Whole, 0},
    {microsoft, "CausalConvWithState", 1, 3, CacheKind::Whole, 0},
    {"", "Attention", 1, 4, CacheKind::Grows, 2},
    {"", "Attention", 2, 5, CacheKind::Grows, 2},
    {"", "LinearAttention", 1, 3, CacheKind::Whole, 0},
    {"", "TensorScatter", 0, 0, CacheKind::Fixed, -1},
    {"", "ScatterND", 0, 0, CacheKind::Fixed, -2},
    {"", "ScatterElements", 0, 0, CacheKind::Fixed, -1},
    {"", "Scatter", 0, 0, CacheKind::Fixed, -1},
};

/// Which operands' rows a result has besides, in whichever order: all, the first, or those from the second on.
enum class Through { All, First, Rest };
constexpr std::pair<StringRef, Through> movements[] = {
    {"Concat", Through::All},      {"Where", Through::Rest},
    {"Identity", Through::First},  {"Cast", Through::First},
    {"Reshape", Through::First},   {"Transpose", Through::First},
    {"Slice", Through::First},     {"Squeeze", Through::First},
    {"Unsqueeze", Through::First}, {"Split", Through::First},
    {"Gather", Through::First},    {"Expand", Through::First},
    {"Add", Through::All},         {"Mul", Through::All},
    {"Pad", Through::First},       {"SplitToSequence", Through::First},
};

DecoderTensor decoderTensorOf(Type type, ArrayAttr names, StringAttr name) {
  DecoderTensor tensor;
  tensor.name = name ? name.str() : "";
  auto ranked = dyn_cast_or_null<RankedTensorType>(type);
  if (!ranked)
    return tensor;
  tensor.hasShape = true;
  tensor.element = ranked.getElementType();
  for (auto [i, size] : llvm::enumerate(ranked.getShape())) {
    auto symbol = names && i < names.size() ? dyn_cast<StringAttr>(names[i]) : StringAttr();
    tensor.sizes.push_back(ShapedType::isDynamic(size) ? -1 : size);
    tensor.symbols.push_back(ShapedType::isDynamic(size) && symbol ? symbol.str() : "");
  }
  return tensor;
}

/// The one dim of a condition that is not 1, counted from the last; of [batch, heads, rows, size] where it is not
/// known.
size_t chosenDim(Value condition) {
  constexpr size_t rows = 2;
  auto type = dyn_cast<RankedTensorType>(condition.getType());
  std::optional<size_t> found;
  for (size_t i = 0; type && i < type.getShape().size(); ++i) {
    if (type.getShape()[i] == 1)
      continue;
    if (found)
      return rows;
    found = type.getShape().size() - i;
  }
  return found.value_or(rows);
}

/// Where an output comes from, and what on the way says about its rows.
class CacheOrigin {
public:
  explicit CacheOrigin(func::FuncOp main, size_t &budget) : main(main), budget(budget) {}

  void walk(Value value) {
    std::vector<Waiting> waiting = {{value, false}};
    while (!waiting.empty() && budget > 0) {
      auto [next, isCarried] = waiting.back();
      waiting.pop_back();
      if (!seen.insert(next).second)
        continue;
      --budget;
      if (auto argument = dyn_cast<BlockArgument>(next)) {
        if (argument.getOwner()->getParentOp() == main)
          arguments.insert(argument.getArgNumber());
        continue;
      }
      if (auto node = next.getDefiningOp<NodeOp>())
        step(node, cast<OpResult>(next).getResultNumber(), isCarried, waiting);
    }
  }

  llvm::SmallSetVector<unsigned, 4> arguments;
  const Carrying *carrying = nullptr; ///< the first that was met
  NodeOp carrier;
  bool isJoined = false;             ///< by Concat
  bool isMoved = false;              ///< by Concat before rows are written in it: none stays in its place
  llvm::SmallVector<NodeOp> choices; ///< each Where on the way

private:
  struct Waiting {
    Value value;
    bool isCarried; ///< into what the output is, by an operator of `carryings`
  };

  void step(NodeOp node, unsigned result, bool isCarried, std::vector<Waiting> &waiting) {
    auto inputs = node.getInputs();
    for (const Carrying &known : carryings)
      if (node.getDomain() == known.domain && node.getOpType() == known.type && result == known.result) {
        if (known.operand < inputs.size())
          waiting.push_back({inputs[known.operand], true});
        if (!carrying) {
          carrying = &known;
          carrier = node;
        }
        return;
      }
    if (!node.getDomain().empty())
      return;
    if (node.getOpType() == "If")
      for (Region &body : node.getBodies())
        waiting.push_back({body.front().getTerminator()->getOperand(result), isCarried});
    if (node.getOpType() == "Loop" && result + 2 < inputs.size())
      waiting.push_back({inputs[result + 2], isCarried});
    for (auto [type, through] : movements)
      if (node.getOpType() == type) {
        isJoined |= type == "Concat";
        isMoved |= type == "Concat" && isCarried;
        if (type == "Where")
          choices.push_back(node);
        size_t first = through == Through::Rest ? 1 : 0, last = through == Through::First ? 1 : inputs.size();
        for (size_t i = first; i < std::min(last, inputs.size()); ++i)
          waiting.push_back({inputs[i], isCarried});
      }
  }

  func::FuncOp main;
  size_t &budget;
  llvm::DenseSet<Value> seen;
};

/// Whether a symbol counts texts: the first of two dims of integers, such as tokens, does.
bool countsTexts(StringRef symbol, func::FuncOp main) {
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    DecoderTensor input = decoderInput(main, i);
    if (isa<IntegerType>(input.element) && input.sizes.size() == 2 && input.symbols[0] == symbol &&
        input.symbols[1] != symbol)
      return true;
  }
  return false;
}

/// The one dim whose symbol is another in the output: the rows that are held.
std::optional<size_t> differingDim(const DecoderTensor &input, const DecoderTensor &output, func::FuncOp main) {
  std::optional<size_t> found;
  for (size_t i = 0; i < input.sizes.size(); ++i) {
    if (input.symbols[i].empty() || (output.hasShape && output.symbols[i] == input.symbols[i]))
      continue;
    if (i == 0 && input.sizes.size() > 3 &&
        llvm::count(input.symbols, "") + 2 == static_cast<int64_t>(input.sizes.size()))
      continue; // of two symbols of a cache [batch, heads, rows, size] the first is the batch
    if (i == 0 && countsTexts(input.symbols[i], main))
      continue; // also where exporters have no name for it in the output
    if (found)
      return std::nullopt;
    found = i;
  }
  return found;
}

/// Whether an operator writes rows where the call's inputs say. A scatter to places that never change writes a part of
/// a state, such as that of a layer, unless what it writes there are such rows.
bool writesRows(NodeOp node, func::FuncOp main, size_t &budget) {
  if (!node.getDomain().empty() || !node.getOpType().starts_with("Scatter") ||
      !argumentsOf(node.getInputs()[1], main, budget).empty())
    return true;
  CacheOrigin written(main, budget);
  written.walk(node.getInputs()[2]);
  return written.carrying && written.carrier != node && writesRows(written.carrier, main, budget);
}

/// The dim, counted from the last, along which a Where chooses from the rows of a state and new ones. Where none of
/// them has the state's rows, they choose among numbers that new ones are made of.
std::optional<size_t> chosenFromEnd(const CacheOrigin &origin, unsigned state, func::FuncOp main, size_t &budget) {
  for (NodeOp choice : origin.choices) {
    CacheOrigin from(main, budget);
    for (Value chosen : choice.getInputs().drop_front())
      from.walk(chosen);
    if (from.arguments.contains(state))
      return chosenDim(choice.getInputs().front());
  }
  return std::nullopt;
}

void settleKind(DecoderCache &cache, const CacheOrigin &origin, const DecoderTensor &input, const DecoderTensor &output,
                func::FuncOp main, size_t &budget) {
  auto integer = dyn_cast<IntegerType>(input.element);
  if (integer && input.sizes.size() <= 1) {
    cache.kind = CacheKind::Counter;
    return;
  }
  std::optional<size_t> differing = differingDim(input, output, main);
  if (const Carrying *by = origin.carrying; by && !origin.isMoved && writesRows(origin.carrier, main, budget)) {
    cache.kind = by->kind;
    auto rank = static_cast<int64_t>(input.sizes.size());
    int64_t axis = by->axis;
    if (axis == -1)
      axis = integerAttribute(origin.carrier, "axis").value_or(-2);
    axis += axis < 0 ? rank : 0;
    cache.axis = static_cast<size_t>(std::clamp<int64_t>(axis, 0, rank - 1));
    if (by->kind == CacheKind::Grows && differing)
      cache.axis = *differing;
    return;
  }
  bool isSame = output.hasShape && input.sizes == output.sizes && input.symbols == output.symbols;
  if (origin.isJoined && differing && !isSame) {
    cache.axis = *differing;
    return;
  }
  std::optional<size_t> chosen = isSame ? chosenFromEnd(origin, cache.input, main, budget) : std::nullopt;
  bool isChosen = chosen && *chosen <= input.sizes.size();
  cache.kind = isChosen ? CacheKind::Fixed : CacheKind::Whole;
  cache.axis = isChosen ? input.sizes.size() - *chosen : 0;
}
} // namespace

bool isPassedOn(Value value, Value argument) {
  while (NodeOp node = producer(value, "Identity"))
    value = node.getInputs()[0];
  return value == argument;
}

size_t likeness(StringRef a, StringRef b) {
  size_t most = std::min(a.size(), b.size()), begin = 0, end = 0;
  while (begin < most && a[begin] == b[begin])
    ++begin;
  while (end < most - begin && a[a.size() - 1 - end] == b[b.size() - 1 - end])
    ++end;
  return begin + end;
}

bool fits(const DecoderTensor &input, const DecoderTensor &output) {
  if (!output.hasShape)
    return input.hasShape;
  if (!input.hasShape || input.element != output.element || input.sizes.size() != output.sizes.size())
    return false;
  for (auto [given, made] : llvm::zip(input.sizes, output.sizes))
    if (given >= 0 && made >= 0 && given != made)
      return false;
  return true;
}

DecoderTensor decoderInput(func::FuncOp main, unsigned index) {
  return decoderTensorOf(main.getArgument(index).getType(), main.getArgAttrOfType<ArrayAttr>(index, "sinter.dims"),
                         main.getArgAttrOfType<StringAttr>(index, "sinter.name"));
}

DecoderTensor decoderOutput(func::FuncOp main, unsigned index) {
  auto stated = main.getResultAttrOfType<TypeAttr>(index, "sinter.type");
  return decoderTensorOf(stated ? stated.getValue() : Type(), main.getResultAttrOfType<ArrayAttr>(index, "sinter.dims"),
                         main.getResultAttrOfType<StringAttr>(index, "sinter.name"));
}

std::vector<DecoderCache> findCaches(func::FuncOp main) {
  Operation *end = main.getBody().front().getTerminator();
  std::vector<DecoderCache> caches;
  llvm::DenseSet<unsigned> taken;
  size_t budget = size_t(1) << 23; // values looked at for all outputs together
  for (unsigned i = 0; i < end->getNumOperands(); ++i) {
    CacheOrigin origin(main, budget);
    origin.walk(end->getOperand(i));
    DecoderTensor output = decoderOutput(main, i);
    std::optional<unsigned> best;
    size_t bestLikeness = 0;
    for (unsigned argument : origin.arguments) {
      DecoderTensor input = decoderInput(main, argument);
      if (taken.contains(argument) || !fits(input, output) ||
          isPassedOn(end->getOperand(i), main.getArgument(argument)))
        continue;
      size_t like = likeness(input.name, output.name);
      if (!best || like > bestLikeness)
        std::tie(best, bestLikeness) = std::pair(argument, like);
    }
    if (!best)
      continue;
    taken.insert(*best);
    DecoderTensor input = decoderInput(main, *best);
    DecoderCache &cache = caches.emplace_back(DecoderCache{*best, i, input.name, output.name});
    settleKind(cache, origin, input, output, main, budget);
  }
  addStates(main, caches, budget);
  return caches;
}

} // namespace sinter
