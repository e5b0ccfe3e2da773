// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists that operators of ai.onnx.ml have as attributes: labels, categories, keys and values, of numbers or of
// strings. How elements are found in one, and taken from one.
#pragma once

#include "lowering.h"

namespace sinter {

/// A list of one dim.
struct List {
  HostTensor values;
  ElementType element = ElementType::Undefined;

  int64_t size() const { return values.size(); }
};

List listOfIntegers(const Op &op, llvm::ArrayRef<int64_t> integers);
List listOfTexts(const Op &op, llvm::ArrayRef<llvm::StringRef> texts);
/// The attribute `name` with a type behind it, whichever the node has: classlabels_strings, cats_int64s, keys_tensor.
std::optional<List> listOf(const Op &op, llvm::StringRef name);
/// Entries of `list` by their numbers.
List entriesOf(const List &list, llvm::ArrayRef<int64_t> numbers);
/// `list` and behind it another of its type.
List joined(const List &list, const List &more);

Tensor tensorOf(const Op &op, const List &list);
/// list[place] for each of `places`, which are inside.
Tensor entriesAt(const Op &op, const List &list, Tensor places);

/// For each element of x the number of the first key that it equals, and the number of all keys where it is none; keys
/// are of x's type.
Tensor placesAmong(const Op &op, Tensor x, const List &keys);

} // namespace sinter
