// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// StringNormalizer: strings without stop words, their letters in lower or upper case. As onnxruntime has it a stop word
// is a whole string; onnx's reference evaluator splits strings at blanks first and strips accents, of which the
// standard says nothing. Case is that of Unicode, letter by letter, whatever the locale.
#include "ops/lists.h"
#include "ops/runtime_sizes.h"
#include "ops/text.h"

using namespace mlir;

namespace sinter {
namespace {

/// LetterCase of templates/text/letter_case.h.
enum : int64_t { keepCase, lowerCase, upperCase };

LogicalResult lowerStringNormalizer(Op &op) {
  StringRef action = op.string("case_change_action", "NONE");
  int64_t change = action == "LOWER" ? lowerCase : action == "UPPER" ? upperCase : keepCase;
  int64_t compared = op.integer("is_case_sensitive") ? keepCase : change == upperCase ? upperCase : lowerCase;
  Tensor x = op.input(0);
  constexpr ElementType text = ElementType::String;
  bool isRow = x.rank() == 2;
  Size all = op.size(x, x.rank() - 1), room = maximum(op.b, op.loc, all, sizeOf(op.b, 1));
  SmallVector<StringRef> words = op.strings("stopwords");
  // Also without any: of no strings at all one is made.
  SmallVector<Tensor> kept = op.kernel("remove_words", {op.reshape(x, {all}), tensorOf(op, listOfTexts(op, words))},
                                       {{{room}, text}, {{}, ElementType::Int64}}, {op.param("compared", compared)});
  Size count = countSize(op, kept[1], room);
  Tensor y = takeFirst(op, kept[0], count, 0);
  if (change != keepCase)
    y = makeText(op, "change_case", {y}, {{{count}, text}}, {op.param("wanted", change)}, room, usualTextBytes)[0];
  return op.result(isRow ? op.unsqueeze(y, {0}) : y);
}
} // namespace

void register_string_normalizer(Registry &registry) {
  registry.onOp("StringNormalizer", {10}, "X[C]|[1,C] case_change_action=NONE|LOWER|UPPER is_case_sensitive=0|1",
                lowerStringNormalizer);
}

} // namespace sinter
