// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TfIdfVectorizer: how often each n-gram of a pool of integers or strings appears, perhaps weighted. Tokens become
// numbers, and the pool a tree of these; a kernel counts.
#include "ops/lists.h"
#include "ops/scores.h"

#include <map>

using namespace mlir;

namespace sinter {
namespace {

/// The tree of templates/selection/count_grams.h: by parent and token, level by level, so that keys are in order.
struct Grams {
  std::vector<std::map<int64_t, int64_t>> children{1}; ///< by node: token to node
  std::vector<int64_t> column{-1};                     ///< by node

  /// Of equal n-grams the last counts.
  void add(ArrayRef<int64_t> tokens, int64_t to) {
    int64_t node = 0;
    for (int64_t token : tokens) {
      auto [child, isNew] = children[node].try_emplace(token, static_cast<int64_t>(children.size()));
      node = child->second; // a copy: the lists grow
      if (isNew) {
        children.emplace_back();
        column.push_back(-1);
      }
    }
    column[node] = to;
  }

  void flatten(int64_t tokens, SmallVector<int64_t> &edges, SmallVector<int64_t> &columns) const {
    std::vector<int64_t> level{0};
    for (int64_t number = 0; number < static_cast<int64_t>(level.size()); ++number)
      for (auto [token, child] : children[level[number]]) {
        edges.push_back(number * tokens + token);
        columns.push_back(column[child]);
        level.push_back(child);
      }
  }
};

/// [rows, columns] of counts.
FailureOr<Tensor> countsOf(Op &op, Tensor x, ArrayRef<int64_t> columns, int64_t width) {
  std::optional<List> pool = listOf(op, "pool");
  if (!pool || pool->element != x.element)
    return op.fail(Code::WrongOperandType,
                   "there is no pool of the input's type, tensor(" + elementTypeName(x.element) + ")");
  // The number of each token, in order of first appearance.
  SmallVector<int64_t> numbers, firsts;
  std::map<std::string, int64_t> known;
  for (int64_t i = 0; i < pool->size(); ++i) {
    std::string key =
        pool->element == ElementType::String ? pool->values.strings()[i] : std::to_string(pool->values.integerAt(i));
    auto [number, isNew] = known.try_emplace(key, static_cast<int64_t>(firsts.size()));
    if (isNew)
      firsts.push_back(i);
    numbers.push_back(number->second);
  }
  Grams grams;
  SmallVector<int64_t> starts = op.integers("ngram_counts");
  int64_t shortest = op.integer("min_gram_length"), longest = op.integer("max_gram_length"), next = 0;
  starts.push_back(pool->size());
  for (int64_t length = 1; length < static_cast<int64_t>(starts.size()); ++length) {
    int64_t begin = starts[length - 1], end = starts[length];
    if (begin < 0 || begin > end || end > pool->size() || (end - begin) % length)
      return op.fail(Code::ShapeMismatch, "'ngram_counts' does not divide the pool into n-grams");
    for (; begin < end; begin += length, ++next) {
      if (next >= static_cast<int64_t>(columns.size()))
        return op.fail(Code::ShapeMismatch, "the pool has more n-grams than 'ngram_indexes'");
      if (length >= shortest && length <= longest)
        grams.add(ArrayRef(numbers).slice(begin, length), columns[next]);
    }
  }
  List tokens = entriesOf(*pool, firsts);
  SmallVector<int64_t> edges, ends;
  grams.flatten(tokens.size(), edges, ends);
  NamedAttribute params[] = {op.param("shortest", shortest), op.param("longest", longest),
                             op.param("most_skipped", op.integer("max_skip_count")), op.param("tokens", tokens.size())};
  return op.kernel(
      "count_grams",
      {placesAmong(op, x, tokens), tensorOf(op, listOfIntegers(op, edges)), tensorOf(op, listOfIntegers(op, ends))},
      {{{op.size(x, 0), sizeOf(op.b, width)}, ElementType::Float}}, params)[0];
}

LogicalResult lowerTfidfVectorizer(Op &op) {
  Tensor x = op.input(0);
  if (x.element == ElementType::Int32)
    x = op.cast(x, ElementType::Int64);
  bool isLine = x.rank() == 1;
  if (isLine)
    x = op.unsqueeze(x, {0});
  SmallVector<int64_t> columns = op.integers("ngram_indexes");
  constexpr int64_t mostColumns = int64_t(1) << 24;
  if (columns.empty() || llvm::any_of(columns, [](int64_t c) { return c < 0 || c >= mostColumns; }))
    return op.fail(Code::ShapeMismatch,
                   "'ngram_indexes' is empty, or has an index outside of 0 to " + Twine(mostColumns));
  int64_t width = *llvm::max_element(columns) + 1;
  FailureOr<Tensor> counts = countsOf(op, x, columns, width);
  if (failed(counts))
    return failure();
  StringRef mode = op.string("mode");
  SmallVector<double> weights = op.reals("weights");
  bool isWeighted = mode != "TF" && !weights.empty();
  if (isWeighted && static_cast<int64_t>(weights.size()) < width)
    return op.fail(Code::ShapeMismatch, Twine(weights.size()) + " weights for " + Twine(width) + " columns");
  Tensor y = *counts;
  if (mode == "IDF" || isWeighted) {
    if (isWeighted)
      weights.resize(width);
    else
      weights.assign(width, 1);
    y = op.elementwise({y, perFeature(op, weights)}, ElementType::Float, [&](const Scalars &s, ValueRange v) {
      Value isThere = s.compare(Compare::Greater, v[0], s.constant(0));
      return mode == "IDF" ? s.select(isThere, v[1], s.constant(0)) : s.mul(v[0], v[1]);
    });
  }
  return op.result(isLine ? op.squeeze(y, {0}) : y);
}
} // namespace

void register_tfidf_vectorizer(Registry &registry) {
  registry.onOp("TfIdfVectorizer", {9},
                "X[C]|[B,C] mode=TF|IDF|TFIDF min_gram_length>=1 max_gram_length>=1 max_skip_count>=0",
                lowerTfidfVectorizer);
}

} // namespace sinter
