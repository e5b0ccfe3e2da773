// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "value_layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace sinter {
namespace {

constexpr StringLiteral flippedWord = "^80";

/// Does a buffer of that shape hold the parts in order, where each of its dims is one part, several joined, or a piece
/// of one? A shape that cuts across parts belongs to another layout.
bool holdsInOrder(ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes) {
  auto isOne = [](int64_t size) { return size == 1; };
  SmallVector<int64_t> dims(shape), parts(sizes);
  erase_if(dims, isOne);
  erase_if(parts, isOne);
  size_t d = 0, p = 0;
  while (d < dims.size() && p < parts.size()) {
    int64_t inDims = dims[d++], inParts = parts[p++];
    bool joins = inDims > inParts, splits = inDims < inParts;
    while (joins && inParts < inDims && p < parts.size())
      inParts *= parts[p++];
    while (splits && inDims < inParts && d < dims.size())
      inDims *= dims[d++];
    if (inDims != inParts)
      return false;
  }
  return d == dims.size() && p == parts.size();
}

} // namespace

ValueLayout ValueLayout::plain(unsigned rank) {
  ValueLayout layout;
  layout.parts.emplace();
  for (unsigned d = 0; d < rank; ++d)
    layout.parts->push_back({Part::Whole, d, 1});
  return layout;
}

std::optional<ValueLayout> ValueLayout::parse(StringRef text) {
  ValueLayout layout;
  if (text == "?")
    return layout;
  layout.parts.emplace();
  SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  if (!words.empty() && words.back() == flippedWord) {
    layout.isFlipped = true;
    words.pop_back();
  }
  for (StringRef word : words) {
    Part part{Part::Whole, 0, 1};
    if (!word.consume_front("d") || word.consumeInteger(10, part.dim))
      return std::nullopt;
    if (word.consume_front("/"))
      part.kind = Part::Outer;
    else if (word.consume_front("%"))
      part.kind = Part::Inner;
    if (part.kind != Part::Whole && (word.consumeInteger(10, part.block) || part.block < 1))
      return std::nullopt;
    if (!word.empty())
      return std::nullopt;
    layout.parts->push_back(part);
  }
  return layout;
}

std::string ValueLayout::text() const {
  if (!parts)
    return "?";
  std::string text;
  for (const Part &part : *parts) {
    text += (text.empty() ? "d" : " d") + std::to_string(part.dim);
    if (part.kind != Part::Whole)
      text += (part.kind == Part::Outer ? "/" : "%") + std::to_string(part.block);
  }
  return isFlipped ? text + (text.empty() ? "" : " ") + flippedWord.str() : text;
}

ValueLayout ValueLayout::flipped() const {
  ValueLayout layout = *this;
  layout.isFlipped = !isFlipped;
  return layout;
}

ValueLayout ValueLayout::blocked(unsigned axis, int64_t block, bool isWhole) const {
  if (!parts || axis >= parts->size() || (*parts)[axis].kind != Part::Whole)
    return {};
  ValueLayout layout = *this;
  Part channel = (*parts)[axis];
  if (isWhole) {
    layout.parts->erase(layout.parts->begin() + axis);
    layout.parts->push_back(channel);
  } else {
    (*layout.parts)[axis] = {Part::Outer, channel.dim, block};
    layout.parts->push_back({Part::Inner, channel.dim, block});
  }
  return layout;
}

std::optional<std::vector<int64_t>> ValueLayout::placesIn(ArrayRef<int64_t> dims, ArrayRef<int64_t> shape) const {
  if (!parts)
    return std::nullopt;
  std::vector<int64_t> sizes, covered(dims.size(), 1);
  for (const Part &part : *parts) {
    if (part.dim >= dims.size())
      return std::nullopt;
    int64_t dim = dims[part.dim];
    sizes.push_back(part.kind == Part::Whole   ? dim
                    : part.kind == Part::Outer ? (dim + part.block - 1) / part.block
                                               : part.block);
    covered[part.dim] *= sizes.back();
  }
  if (any_of(zip(covered, dims), [](auto both) { return std::get<0>(both) < std::get<1>(both); }) ||
      !holdsInOrder(shape, sizes))
    return std::nullopt;
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  std::vector<int64_t> places, at(sizes.size(), 0), index(dims.size());
  for (int64_t i = 0; i < count; ++i) {
    index.assign(dims.size(), 0);
    for (size_t p = 0; p < at.size(); ++p)
      index[(*parts)[p].dim] += at[p] * ((*parts)[p].kind == Part::Outer ? (*parts)[p].block : 1);
    int64_t place = 0;
    for (auto [here, dim] : zip(index, dims))
      place = place < 0 || here >= dim ? -1 : place * dim + here;
    places.push_back(place);
    for (size_t p = at.size(); p-- > 0 && ++at[p] == sizes[p];)
      at[p] = 0;
  }
  return places;
}

} // namespace sinter
