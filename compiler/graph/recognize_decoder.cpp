// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of the inputs that are no caches: what a session must give. First by the operand that an input is of an operator that
// says it (seqlens_k, write_indices), then by its shape among batch, new rows and all rows, by what it chooses from,
// and by its name where a lone number could be several things.
#include "graph/decoder.h"

#include "graph/decoder_caches.h"
#include "graph/decoder_padding.h"
#include "graph/input_hints.h"
#include "graph/node_match.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {
namespace {

/// Operands that mean one thing only.
struct TellingOperand {
  StringRef domain, type;
  unsigned operand;
  InputRole role;
};

constexpr StringRef contrib = "com.microsoft";
constexpr TellingOperand tellingOperands[] = {
    {contrib, "GroupQueryAttention", 5, InputRole::LastRow},
    {contrib, "GroupQueryAttention", 6, InputRole::Total},
    {contrib, "GroupQueryAttention", 9, InputRole::Positions},
    {contrib, "RotaryEmbedding", 1, InputRole::Positions},
    {contrib, "Attention", 3, InputRole::Mask},
    {contrib, "Attention", 6, InputRole::Held},
    {contrib, "MultiHeadAttention", 8, InputRole::Held},
    {contrib, "DecoderMaskedMultiHeadAttention", 7, InputRole::Held},
    {contrib, "EmbedLayerNormalization", 0, InputRole::Tokens},
    {contrib, "EmbedLayerNormalization", 1, InputRole::Zeros},
    {contrib, "EmbedLayerNormalization", 7, InputRole::Mask},
    {contrib, "EmbedLayerNormalization", 8, InputRole::Positions},
    {"", "RotaryEmbedding", 3, InputRole::Positions},
    {"", "TensorScatter", 2, InputRole::Held},
    {"", "Attention", 6, InputRole::Total},
};

/// The same numbers, in another form.
constexpr StringRef sameNumbers[] = {"Identity", "Cast", "Reshape", "Unsqueeze", "Squeeze", "Flatten", "Expand"};

std::optional<InputRole> toldByReaders(Value value, unsigned depth = 0) {
  for (OpOperand &use : value.getUses()) {
    auto node = dyn_cast<NodeOp>(use.getOwner());
    if (!node)
      continue;
    for (const TellingOperand &telling : tellingOperands)
      if (node.getDomain() == telling.domain && node.getOpType() == telling.type &&
          use.getOperandNumber() == telling.operand)
        return telling.role;
    constexpr unsigned deepest = 8;
    if (depth < deepest && node.getDomain().empty() && use.getOperandNumber() == 0 &&
        llvm::is_contained(sameNumbers, node.getOpType()))
      if (std::optional<InputRole> told = toldByReaders(node->getResult(0), depth + 1))
        return told;
  }
  return std::nullopt;
}

bool isInteger(const DecoderTensor &tensor) {
  auto integer = dyn_cast_or_null<IntegerType>(tensor.element);
  return integer && integer.getWidth() >= 32;
}

bool hasWord(StringRef name, ArrayRef<StringRef> words) {
  std::string lower = name.lower();
  return llvm::any_of(words, [&](StringRef word) { return StringRef(lower).contains(word); });
}

class Recognition {
public:
  Recognition(ModuleOp module, func::FuncOp main, Decoder &decoder)
      : main(main), hints(inputHintsOf(module)), decoder(decoder) {}

  std::optional<NoDecoder> run() {
    decoder.caches = findCaches(main);
    if (llvm::none_of(decoder.caches, [](const DecoderCache &cache) { return cache.kind != CacheKind::Counter; }))
      return NoDecoder{true, "no output of the model goes on from an input",
                       "a decoder is exported with its caches (past key values) as inputs and outputs"};
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (llvm::none_of(decoder.caches, [&](const DecoderCache &cache) { return cache.input == i; }))
        rest.push_back({i, decoderInput(main, i)});
    for (auto step : {&Recognition::findLogits, &Recognition::findTokens, &Recognition::nameDims,
                      &Recognition::findEmbedded, &Recognition::findUnread, &Recognition::findEncoded,
                      &Recognition::findOthers, &Recognition::findCapacity, &Recognition::findAttentions})
      if (std::optional<NoDecoder> problem = (this->*step)())
        return problem;
    return std::nullopt;
  }

private:
  struct Input {
    unsigned index;
    DecoderTensor tensor;
  };

  /// The floats whose last dim is the vocabulary.
  std::optional<NoDecoder> findLogits() {
    std::vector<DecoderTensor> floats;
    for (unsigned i = 0; i < main.getNumResults(); ++i) {
      DecoderTensor output = decoderOutput(main, i);
      bool isCache = llvm::any_of(decoder.caches, [&](const DecoderCache &cache) { return cache.output == i; });
      if (!isCache && output.hasShape && isa<FloatType>(output.element) && output.sizes.size() >= 2)
        floats.push_back(std::move(output));
    }
    auto isNamed = [](const DecoderTensor &tensor) { return hasWord(tensor.name, {"logits", "scores"}); };
    auto found = llvm::find_if(floats, isNamed);
    if (found == floats.end() && floats.size() == 1)
      found = floats.begin();
    if (found == floats.end())
      return NoDecoder{false, "none of the outputs is known to be the scores of the next token",
                       "it is the one output of floats that is no cache, or one called logits"};
    if (found->sizes.back() <= 0)
      return NoDecoder{false, "the vocabulary, the last dim of '" + found->name + "', is not known",
                       "fix it in the model's declared shapes"};
    decoder.logits = found->name;
    decoder.vocabulary = found->sizes.back();
    return std::nullopt;
  }

  /// Integers that choose rows of a table: of several the one whose table has as many rows as there are scores.
  std::optional<NoDecoder> findTokens() {
    const Input *best = nullptr;
    int64_t bestScore = 0;
    for (const Input &input : rest) {
      int64_t rows = hints.lookup(input.tensor.name).rows;
      std::optional<InputRole> told = toldByReaders(main.getArgument(input.index));
      if (!isInteger(input.tensor) || input.tensor.sizes.empty() || input.tensor.sizes.size() > 2)
        continue;
      int64_t score = (told == InputRole::Tokens ? 8
                       : told                    ? -8
                                                 : 0) +
                      (rows == decoder.vocabulary ? 4
                       : rows > 0                 ? 2
                                                  : 0) +
                      (hasWord(input.tensor.name, {"input_ids", "token", "ids"}) ? 1 : 0) -
                      (hasWord(input.tensor.name, {"position", "mask", "type"}) ? 2 : 0);
      if (score > bestScore)
        std::tie(best, bestScore) = std::pair(&input, score);
    }
    if (!best || bestScore < 2)
      return findRows();
    tokens = best->tensor;
    decoder.inputs[tokens.name] = InputRole::Tokens;
    return std::nullopt;
  }

  /// Without tokens: floats of a row for each new token, which another model has looked up. Of several the one that is
  /// called so.
  std::optional<NoDecoder> findRows() {
    const Input *found = nullptr;
    bool isSaid = false, isUnclear = false;
    for (const Input &input : rest) {
      const DecoderTensor &tensor = input.tensor;
      if (!tensor.hasShape || !isa<FloatType>(tensor.element) || tensor.sizes.size() != 3 || tensor.sizes[2] <= 1 ||
          saysEncoded(tensor))
        continue;
      bool says = hasWord(tensor.name, {"embed"});
      if (found && says == isSaid)
        isUnclear = true;
      if (!found || (says && !isSaid))
        std::tie(found, isSaid, isUnclear) = std::tuple(&input, says, false);
    }
    if (!found || isUnclear)
      return NoDecoder{false,
                       "no input holds tokens: none chooses rows of a table, and none is known to hold rows of "
                       "embeddings",
                       "a decoder takes tokens, or float[batch, new, width], called inputs_embeds"};
    tokens = found->tensor; // as its tokens would be
    tokens.sizes.pop_back();
    tokens.symbols.pop_back();
    addRows(*found);
    return std::nullopt;
  }
  static bool saysEncoded(const DecoderTensor &tensor) { return hasWord(tensor.name, {"encoder", "cross"}); }

  void addRows(const Input &input) {
    decoder.inputs[input.tensor.name] = InputRole::Embedded;
    decoder.embedded.push_back(input.index);
  }

  /// What else comes with each row: floats of known widths, such as a row for each layer.
  std::optional<NoDecoder> findEmbedded() {
    if (decoder.embedded.empty())
      return std::nullopt;
    for (const Input &input : rest) {
      const DecoderTensor &tensor = input.tensor;
      auto isKnown = [](int64_t size) { return size > 1; };
      if (!decoder.inputs.contains(tensor.name) && tensor.hasShape && isa<FloatType>(tensor.element) &&
          tensor.sizes.size() >= 3 && !tensor.symbols[1].empty() && isNewDim(tensor, 1) &&
          llvm::all_of(ArrayRef(tensor.sizes).drop_front(2), isKnown))
        addRows(input);
    }
    return std::nullopt;
  }

  std::optional<NoDecoder> name(StringRef symbol, DimRole role) {
    if (symbol.empty())
      return std::nullopt;
    auto [known, isNew] = decoder.dims.try_emplace(symbol, role);
    if (isNew || known->second == role)
      return std::nullopt;
    return NoDecoder{false, "the dim '" + symbol.str() + "' counts two different things",
                     "export with a symbol of its own for each of batch, past and new length"};
  }

  /// Batch and new rows by the tokens, held rows by the caches.
  std::optional<NoDecoder> nameDims() {
    size_t rank = tokens.sizes.size();
    if (auto problem = name(tokens.symbols.back(), DimRole::New))
      return problem;
    decoder.fresh = tokens.sizes.back() >= 0 ? std::optional(tokens.sizes.back()) : std::nullopt;
    if (rank == 2) {
      if (auto problem = name(tokens.symbols.front(), DimRole::Batch))
        return problem;
      decoder.batch = tokens.sizes.front() >= 0 ? std::optional(tokens.sizes.front()) : std::nullopt;
    } else {
      decoder.batch = 1;
    }
    for (const DecoderCache &cache : decoder.caches) {
      if (cache.kind == CacheKind::Counter)
        continue;
      DecoderTensor input = decoderInput(main, cache.input);
      bool hasRows = cache.kind != CacheKind::Whole;
      for (size_t i = 0; i < input.symbols.size(); ++i) {
        bool isBatch = tokens.sizes.size() == 2 && input.symbols[i] == tokens.symbols.front();
        DimRole role = DimRole::Batch;
        if (hasRows && i == cache.axis)
          role = cache.kind == CacheKind::Grows ? DimRole::Held : DimRole::Capacity;
        else if (!isBatch && i > cache.axis && i + 1 == input.symbols.size())
          role = DimRole::Width;
        if (auto problem = name(input.symbols[i], role))
          return problem;
      }
      if (cache.kind == CacheKind::Fixed && input.sizes[cache.axis] >= 0) {
        int64_t rows = input.sizes[cache.axis];
        if (decoder.capacity && *decoder.capacity != rows)
          return NoDecoder{false,
                           "the caches hold different numbers of rows: '" + input.name + "' " + std::to_string(rows) +
                               ", others " + std::to_string(*decoder.capacity),
                           "caches of one model have one capacity"};
        decoder.capacity = rows;
      }
    }
    return std::nullopt;
  }

  /// What an encoder has made: floats with a dim between batch and width, or heads and width of the caches.
  bool isEncoded(const DecoderTensor &tensor) const {
    size_t rank = tensor.sizes.size();
    if (!tensor.hasShape || !isa<FloatType>(tensor.element) || rank < 3 || rank > 4 || tensor.sizes.back() == 1)
      return false;
    if (tensor.symbols[0].empty() && decoder.batch && tensor.sizes[0] != *decoder.batch)
      return false;
    auto counts = [&](size_t i, DimRole role) {
      return !tensor.symbols[i].empty() && decoder.dims.contains(tensor.symbols[i]) &&
             decoder.dims.lookup(tensor.symbols[i]) == role;
    };
    if (counts(rank - 2, DimRole::New) || counts(rank - 1, DimRole::Total) || counts(rank - 1, DimRole::Held))
      return false;
    if (rank == 3)
      return true;
    return llvm::any_of(decoder.caches, [&](const DecoderCache &cache) {
      DecoderTensor own = decoderInput(main, cache.input);
      auto isSame = [&](size_t i) { return own.sizes[i] == tensor.sizes[i] && own.symbols[i] == tensor.symbols[i]; };
      return cache.kind != CacheKind::Counter && own.sizes.size() == rank && isSame(1) && isSame(3);
    });
  }

  /// Whether the numbers of an input go into nothing: at most its sizes are read.
  bool isUnread(unsigned index) const {
    return llvm::all_of(main.getArgument(index).getUsers(), [](Operation *user) {
      auto node = dyn_cast<NodeOp>(user);
      return node && node.getDomain().empty() && node.getOpType() == "Shape";
    });
  }

  /// An input of one size in each call, of which an output has size and name, but not the numbers.
  std::optional<NoDecoder> findUnread() {
    for (const Input &input : rest) {
      const DecoderTensor &tensor = input.tensor;
      if (decoder.inputs.contains(tensor.name) || !tensor.hasShape || !isa<FloatType>(tensor.element) ||
          tensor.sizes.size() < 3 || !isUnread(input.index) ||
          llvm::any_of(ArrayRef(tensor.sizes).drop_front(), [](int64_t n) { return n < 1; }))
        continue;
      for (unsigned i = 0; i < main.getNumResults(); ++i)
        if (DecoderTensor output = decoderOutput(main, i);
            output.hasShape && fits(tensor, output) && 2 * likeness(tensor.name, output.name) >= tensor.name.size())
          return NoDecoder{false,
                           "'" + output.name + "' does not go on from '" + tensor.name +
                               "', as a state would: each call begins anew",
                           "export the model with one token in each call, of which a session makes a prompt's"};
    }
    return std::nullopt;
  }

  std::optional<NoDecoder> findEncoded() {
    for (const Input &input : rest) {
      if (decoder.inputs.contains(input.tensor.name) || !isEncoded(input.tensor))
        continue;
      decoder.inputs[input.tensor.name] = InputRole::Encoded;
      decoder.encoded.push_back(input.index);
      if (auto problem = nameDimsOf(input.tensor, InputRole::Encoded))
        return problem;
    }
    return std::nullopt;
  }

  /// Of several masks the one of the encoder's rows has their dim, or says so.
  bool isEncodedMask(const DecoderTensor &tensor) const {
    if (decoder.encoded.empty() || !tensor.hasShape || tensor.sizes.size() != 2)
      return false;
    auto known = decoder.dims.find(tensor.symbols[1]);
    bool hasDim = !tensor.symbols[1].empty() && known != decoder.dims.end();
    return hasDim ? known->second == DimRole::Encoded : hasWord(tensor.name, {"encoder", "cross"});
  }

  std::optional<NoDecoder> findOthers() {
    for (const Input &input : rest) {
      if (decoder.inputs.contains(input.tensor.name))
        continue;
      std::optional<InputRole> role = roleOf(input);
      if (!role)
        return NoDecoder{
            false, "nobody knows what to give for the input '" + input.tensor.name + "'",
            isAdapterWeight(input.tensor)
                ? "--adapter FILE.onnx_adapter gives values for such inputs"
                : "a session gives tokens, positions, masks and counts of rows; a model that takes more is "
                  "compiled without --decoder"};
      decoder.inputs[input.tensor.name] = *role;
      if (auto problem = nameDimsOf(input.tensor, *role))
        return problem;
      if (*role == InputRole::Positions || *role == InputRole::Held)
        if (int64_t rows = hints.lookup(input.tensor.name).rows; rows > 1)
          decoder.positions = decoder.positions ? std::min(decoder.positions, rows) : rows;
    }
    return std::nullopt;
  }

  static bool isAdapterWeight(const DecoderTensor &tensor) {
    return tensor.hasShape && isa<FloatType>(tensor.element) && StringRef(tensor.name).contains_insensitive("lora");
  }

  bool isNewDim(const DecoderTensor &tensor, size_t i) const {
    if (tensor.symbols[i].empty())
      return decoder.fresh && tensor.sizes[i] == *decoder.fresh;
    auto known = decoder.dims.find(tensor.symbols[i]);
    return known != decoder.dims.end() && known->second == DimRole::New;
  }

  std::optional<InputRole> roleOf(const Input &input) const {
    const DecoderTensor &tensor = input.tensor;
    if (!tensor.hasShape)
      return std::nullopt;
    if (isEncodedMask(tensor))
      return InputRole::EncodedMask;
    if (std::optional<InputRole> told = toldByReaders(main.getArgument(input.index)))
      return told;
    size_t rank = tensor.sizes.size();
    bool isOne = llvm::all_of(tensor.sizes, [](int64_t size) { return size == 1; });
    bool isPerBatch =
        rank == 1 && decoder.dims.lookup(tensor.symbols[0]) == DimRole::Batch && !tensor.symbols[0].empty();
    if (rank == 0 || (isOne && rank == 1) || isPerBatch) {
      if (!isInteger(tensor))
        return std::nullopt;
      if (hasWord(tensor.name, {"total", "seqlen", "nonpad"}))
        return InputRole::Total;
      bool isChosen = hints.lookup(tensor.name).rows > 0;
      if (isChosen || hasWord(tensor.name, {"pos", "past", "start", "index", "indices", "offset", "cache"}))
        return InputRole::Held;
      return std::nullopt;
    }
    if (rank > 4 || (!isInteger(tensor) && rank == 1))
      return std::nullopt;
    if (rank == 4 && (tensor.element.isInteger(1) || isa<FloatType>(tensor.element)))
      return InputRole::Mask;
    if (rank == 2 && (!isNewDim(tensor, 1) || hasWord(tensor.name, {"mask"})) &&
        (isInteger(tensor) || tensor.element.isInteger(1) || hasWord(tensor.name, {"mask"})))
      return InputRole::Mask;
    if (isInteger(tensor) && isNewDim(tensor, rank - 1)) {
      constexpr int64_t segments = 4; // a table of them has a row or two
      int64_t rows = hints.lookup(tensor.name).rows;
      return rows > 0 && rows <= segments ? InputRole::Zeros : InputRole::Positions;
    }
    return std::nullopt;
  }

  /// Symbols that only this input has: all rows of a mask, new rows by another name.
  std::optional<NoDecoder> nameDimsOf(const DecoderTensor &tensor, InputRole role) {
    for (auto [i, symbol] : llvm::enumerate(tensor.symbols)) {
      if (symbol.empty() || decoder.dims.contains(symbol))
        continue;
      bool isLast = i + 1 == tensor.symbols.size();
      DimRole meaning = DimRole::Batch;
      if ((role == InputRole::Encoded && i > 0 && i + 2 == tensor.symbols.size()) ||
          (role == InputRole::EncodedMask && isLast))
        meaning = DimRole::Encoded;
      else if (role == InputRole::Encoded && i > 0)
        meaning = DimRole::Width;
      else if (role == InputRole::Mask && isLast)
        meaning = DimRole::Total;
      else if ((role == InputRole::Mask && tensor.sizes.size() == 4 && i == 2) ||
               ((role == InputRole::Positions || role == InputRole::Zeros) && isLast))
        meaning = DimRole::New;
      if (auto problem = name(symbol, meaning))
        return problem;
    }
    return std::nullopt;
  }

  /// Caches that have to be told how many rows they hold need an input or a counter that says it.
  std::optional<NoDecoder> findCapacity() {
    bool isFixed =
        llvm::any_of(decoder.caches, [](const DecoderCache &cache) { return cache.kind == CacheKind::Fixed; });
    bool isTold =
        llvm::any_of(
            decoder.inputs,
            [](const auto &input) { return input.second != InputRole::Tokens && input.second != InputRole::Zeros; }) ||
        llvm::any_of(decoder.caches, [](const DecoderCache &cache) { return cache.kind == CacheKind::Counter; });
    if (isFixed && !isTold)
      return NoDecoder{false, "no input says how many rows the caches hold",
                       "caches of fixed size come with a mask, positions or a counter"};
    return std::nullopt;
  }

  /// Whether a dim counts rows of what was encoded. A symbol of outputs alone is believed by the output's name.
  bool isEncodedDim(const DecoderTensor &tensor, size_t i) const {
    if (!tensor.symbols[i].empty()) {
      auto known = decoder.dims.find(tensor.symbols[i]);
      return known != decoder.dims.end() ? known->second == DimRole::Encoded : hasWord(tensor.name, {"cross"});
    }
    return llvm::any_of(decoder.encoded, [&](unsigned index) {
      DecoderTensor input = decoderInput(main, index);
      return input.sizes[input.sizes.size() - 2] == tensor.sizes[i];
    });
  }

  /// In the order of the outputs, which is that of the layers.
  std::optional<NoDecoder> findAttentions() {
    for (unsigned i = 0; i < main.getNumResults(); ++i) {
      DecoderTensor output = decoderOutput(main, i);
      bool isCache = llvm::any_of(decoder.caches, [&](const DecoderCache &cache) { return cache.output == i; });
      if (!isCache && output.hasShape && output.element.isF32() && output.sizes.size() == 4 && output.sizes[1] > 0 &&
          isEncodedDim(output, 3))
        decoder.attentions.push_back(output.name);
    }
    return std::nullopt;
  }

  mutable func::FuncOp main; // whose accessors are not const
  llvm::StringMap<InputHints> hints;
  Decoder &decoder;
  std::vector<Input> rest;
  DecoderTensor tokens;
};
} // namespace

std::optional<NoDecoder> recognizeDecoder(ModuleOp module, Decoder &decoder) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.getBody().empty())
    return NoDecoder{true, "the model has no graph", ""};
  std::optional<NoDecoder> problem = Recognition(module, main, decoder).run();
  if (!problem)
    decoder.noPadding = whyNoPadding(main, decoder).value_or("");
  return problem;
}

} // namespace sinter
