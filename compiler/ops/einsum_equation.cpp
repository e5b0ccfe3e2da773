// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "einsum_equation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;

namespace sinter {

namespace {
/// The labels of one term; its ellipsis stands for `ellipsisRank` dims.
std::optional<Labels> parseEinsumTerm(StringRef term, int64_t ellipsisRank, std::string &problem) {
  Labels labels;
  bool seen = false;
  for (size_t i = 0; i < term.size(); ++i) {
    if (llvm::isAlpha(term[i])) {
      labels.push_back(term[i]);
    } else if (!seen && term.substr(i, 3) == "...") {
      for (int64_t d = ellipsisRank; d > 0; --d)
        labels.push_back(static_cast<int>(-d));
      seen = true;
      i += 2;
    } else {
      problem = "'" + term.str() + "' is not a term of an Einsum equation";
      return std::nullopt;
    }
  }
  return labels;
}
} // namespace

std::optional<EinsumEquation> parseEinsum(StringRef text, ArrayRef<int64_t> ranks, std::string &problem) {
  std::string equation;
  for (char c : text)
    if (!llvm::isSpace(c))
      equation += c;
  auto [left, right] = StringRef(equation).split("->");
  bool isExplicit = equation.find("->") != std::string::npos;
  SmallVector<StringRef> terms;
  left.split(terms, ',');
  if (terms.size() != ranks.size()) {
    problem = "the equation has " + std::to_string(terms.size()) + " terms, the node " + std::to_string(ranks.size()) +
              " operands";
    return std::nullopt;
  }
  EinsumEquation parsed;
  int64_t ellipsisRank = 0;
  std::map<int, int> count; // ordered: the implicit result is in alphabetical order
  for (auto [term, rank] : llvm::zip(terms, ranks)) {
    bool hasEllipsis = term.contains("...");
    int64_t own = hasEllipsis ? rank - static_cast<int64_t>(term.size() - 3) : 0;
    if (own < 0 || (!hasEllipsis && rank != static_cast<int64_t>(term.size()))) {
      problem = "term '" + term.str() + "' does not fit an operand of rank " + std::to_string(rank);
      return std::nullopt;
    }
    ellipsisRank = std::max(ellipsisRank, own);
    std::optional<Labels> labels = parseEinsumTerm(term, own, problem);
    if (!labels)
      return std::nullopt;
    for (int label : *labels)
      ++count[label];
    parsed.operands.push_back(*labels);
  }
  if (isExplicit) {
    std::optional<Labels> labels = parseEinsumTerm(right, ellipsisRank, problem);
    if (!labels)
      return std::nullopt;
    parsed.result = *labels;
  } else {
    for (auto [label, times] : count) // ellipsis labels are negative and come first
      if (label < 0 || times == 1)
        parsed.result.push_back(label);
  }
  for (auto [i, label] : llvm::enumerate(parsed.result))
    if (!count.count(label) || llvm::is_contained(ArrayRef<int>(parsed.result).take_front(i), label)) {
      problem = "the result of the equation names a label twice, or one that no operand has";
      return std::nullopt;
    }
  return parsed;
}

} // namespace sinter
