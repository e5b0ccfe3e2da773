// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// com.microsoft.Tokenizer: strings cut into characters, at separators, or into what matches a regular expression
// (RE2's POSIX syntax). As onnxruntime has it separators are plain strings. Rows are as long as the longest, at most as
// the user or the model says.
#include "ops/automaton_tables.h"
#include "ops/lists.h"
#include "ops/runtime_sizes.h"

using namespace mlir;

namespace sinter {
namespace {

/// Anchors look around the match, which an automaton of the match alone cannot.
bool looksAround(const Regex &regex) {
  if (regex.kind == Regex::Begin || regex.kind == Regex::End || regex.kind == Regex::WordEdge ||
      regex.kind == Regex::NoWordEdge)
    return true;
  return llvm::any_of(regex.parts, looksAround);
}

/// The kernel and what it reads beside the strings.
FailureOr<std::pair<StringRef, SmallVector<Tensor>>> splitting(const Op &op) {
  SmallVector<StringRef> separators = op.strings("separators");
  StringRef pattern = op.string("tokenexp");
  if (separators.empty() == pattern.empty())
    return op.unsupported("not either 'separators' or 'tokenexp'");
  if (pattern == "." || (separators.size() == 1 && separators[0].empty())) {
    if (op.integer("mincharnum") > 1)
      return op.unsupported("characters of which each has 'mincharnum' > 1");
    return std::pair(StringRef("tokens_of_characters"), SmallVector<Tensor>());
  }
  if (!separators.empty()) {
    for (auto [i, separator] : llvm::enumerate(separators))
      if (separator.empty() || llvm::is_contained(ArrayRef(separators).take_front(i), separator))
        return op.unsupported(separator.empty() ? "an empty separator among several"
                                                : "a separator that is listed twice");
    return std::pair(StringRef("tokens_between"), SmallVector<Tensor>{tensorOf(op, listOfTexts(op, separators))});
  }
  std::string problem;
  std::optional<Regex> regex = parseRegex(pattern, problem);
  if (regex && looksAround(*regex)) {
    regex.reset();
    problem = "an anchor";
  }
  if (!regex)
    return op.unsupported("the regular expression '" + pattern + "': " + problem, "RE2's syntax, without anchors");
  FailureOr<SmallVector<Tensor>> tables = automatonTables(op, *regex);
  if (failed(tables))
    return failure();
  return std::pair(StringRef("tokens_matching"), *tables);
}

LogicalResult lowerContribTokenizer(Op &op) {
  auto how = splitting(op);
  if (failed(how))
    return failure();
  Tensor x = op.input(0);
  std::optional<int64_t> most = statedBound(op, 0);
  if (std::optional<Sizes> declared = declaredSizes(op); !most && declared)
    most = constantOf(declared->back());
  if (!most)
    return failWithoutBound(op, 0, "the number of tokens depends on run-time data and has no bound");
  StringRef pad = op.string("pad_value");
  SmallVector<NamedAttribute> params{op.b.getNamedAttr("pad", op.b.getStringAttr(pad)),
                                     op.param("pad_size", static_cast<int64_t>(pad.size())),
                                     op.param("mark", int64_t(op.integer("mark") != 0))};
  if (how->first == "tokens_between")
    params.push_back(op.param("least", op.integer("mincharnum")));
  Sizes sizes = op.sizes(x);
  Size all = product(op.b, op.loc, sizes), columns = sizeOf(op.b, *most);
  SmallVector<Tensor> operands{op.reshape(x, {all})};
  llvm::append_range(operands, how->second);
  SmallVector<Tensor> made =
      op.kernel(how->first, operands, {{{all, columns}, ElementType::String}, {{}, ElementType::Int64}}, params);
  Tensor y = takeCount(op, made[0], made[1], 1);
  sizes.push_back(op.size(y, 1));
  return op.result(op.reshape(y, sizes));
}
} // namespace

void register_contrib_tokenizer(Registry &registry) {
  registry.onOp("Tokenizer", {1}, "X[C]|[N,C] mincharnum>=1", lowerContribTokenizer, "com.microsoft");
}

} // namespace sinter
