// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ai.onnx.ml.DictVectorizer: of each word of a vocabulary what a map has for it, 0 or "" where it has nothing; keys
// that are no words are left out. The result is [1, words], as onnxruntime has it. A word may be there twice.
#include "ops/lists.h"
#include "ops/maps.h"

using namespace mlir;

namespace sinter {
namespace {

/// For each entry of a list the number of the first that equals it.
template <class Entries>
SmallVector<int64_t> firstOfEqual(const Entries &entries) {
  SmallVector<int64_t> first;
  llvm::DenseMap<typename Entries::value_type, int64_t> seen;
  for (const auto &entry : entries)
    first.push_back(seen.try_emplace(entry, static_cast<int64_t>(first.size())).first->second);
  return first;
}

LogicalResult lowerDictVectorizer(Op &op) {
  const Map &x = mapOf(op, 0);
  bool isText = x.keys.element == ElementType::String;
  SmallVector<StringRef> words = op.strings("string_vocabulary");
  SmallVector<int64_t> numbers = op.integers("int64_vocabulary");
  List vocabulary = isText ? listOfTexts(op, words) : listOfIntegers(op, numbers);
  if (vocabulary.size() == 0)
    return op.fail(Code::WrongOperandType,
                   "the keys are " + elementTypeName(x.keys.element) + ", and there is no " +
                       (isText ? "string_vocabulary" : "int64_vocabulary"),
                   "give the vocabulary of that type");
  Sizes size{sizeOf(op.b, vocabulary.size())}, withRest{sizeOf(op.b, vocabulary.size() + 1)};
  ElementType element = x.values.element;
  Tensor zeros =
      op.filled(withRest, element, narrow(op.b, op.loc, element, Scalars{op.b, op.loc, element}.constant(0)));
  FailureOr<Tensor> slots = withFirstOf(op, zeros, placesAmong(op, x.keys, vocabulary), x.values);
  if (failed(slots))
    return failure();
  SmallVector<int64_t> first = isText ? firstOfEqual(words) : firstOfEqual(numbers);
  Tensor y;
  if (llvm::equal(first, llvm::seq<int64_t>(0, vocabulary.size()))) {
    y = op.slice(*slots, {sizeOf(op.b, 0)}, size, {sizeOf(op.b, 1)});
  } else {
    auto taken = op.call("Gather", 13, {*slots, op.integers(first)});
    if (failed(taken))
      return failure();
    y = (*taken)[0];
  }
  return op.result(op.reshape(y, {sizeOf(op.b, 1), size.front()}));
}
} // namespace

void register_dict_vectorizer(Registry &registry) {
  registry.onOp("DictVectorizer", {1}, "X[_*] has(string_vocabulary)+has(int64_vocabulary)>=1", lowerDictVectorizer,
                "ai.onnx.ml");
}

} // namespace sinter
