// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Footprints are boxes in the digits of a mixed radix: an offset is a number whose digits have the strides as weights.
#include "footprint.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace sinter {

Value rootOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

std::optional<Footprint> footprintOf(MemRefType type) {
  SmallVector<int64_t> strides;
  Footprint result;
  if (failed(getStridesAndOffset(type, strides, result.offset)) || ShapedType::isDynamic(result.offset))
    return std::nullopt;
  SmallVector<Footprint::Dim> dims;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides)) {
    if (size == 1)
      continue;
    if (ShapedType::isDynamic(stride))
      return std::nullopt;
    dims.push_back({size, stride});
  }
  llvm::sort(dims, [](auto a, auto b) { return a.stride > b.stride; });
  for (Footprint::Dim dim : dims) {
    if (dim.stride <= 0)
      return std::nullopt;
    bool isStatic =
        !ShapedType::isDynamic(dim.size) && !result.dims.empty() && !ShapedType::isDynamic(result.dims.back().size);
    if (isStatic && result.dims.back().stride == dim.size * dim.stride)
      result.dims.back() = {result.dims.back().size * dim.size, dim.stride};
    else
      result.dims.push_back(dim);
  }
  return result;
}

namespace {

struct Digits {
  SmallVector<std::pair<int64_t, int64_t>> ranges; ///< both ends included, one per stride and one for the rest
};

/// Nullopt if a digit overflows into the next: then the footprint is no box.
std::optional<Digits> digitsOf(const Footprint &footprint, ArrayRef<int64_t> strides) {
  Digits digits;
  int64_t rest = footprint.offset;
  for (auto [i, stride] : llvm::enumerate(strides)) {
    int64_t digit = rest / stride, last = digit;
    rest %= stride;
    for (Footprint::Dim dim : footprint.dims)
      if (dim.stride == stride)
        last = ShapedType::isDynamic(dim.size) ? INT64_MAX : last + dim.size - 1;
    if (i > 0 && (strides[i - 1] % stride != 0 || last >= strides[i - 1] / stride))
      return std::nullopt;
    digits.ranges.emplace_back(digit, last);
  }
  digits.ranges.emplace_back(rest, rest);
  return digits;
}

int64_t lastElement(const Footprint &footprint) {
  int64_t last = footprint.offset;
  if (llvm::any_of(footprint.dims, [](Footprint::Dim dim) { return ShapedType::isDynamic(dim.size); }))
    return INT64_MAX;
  for (Footprint::Dim dim : footprint.dims)
    last += (dim.size - 1) * dim.stride;
  return last;
}

} // namespace

bool areDisjoint(const std::optional<Footprint> &a, const std::optional<Footprint> &b) {
  if (!a || !b)
    return false;
  if (lastElement(*a) < b->offset || lastElement(*b) < a->offset)
    return true;
  SmallVector<int64_t> strides;
  for (const Footprint *each : {&*a, &*b})
    for (Footprint::Dim dim : each->dims)
      strides.push_back(dim.stride);
  llvm::sort(strides, std::greater<>());
  strides.erase(std::unique(strides.begin(), strides.end()), strides.end());
  std::optional<Digits> digitsA = digitsOf(*a, strides), digitsB = digitsOf(*b, strides);
  if (!digitsA || !digitsB)
    return false;
  return llvm::any_of(llvm::zip(digitsA->ranges, digitsB->ranges), [](auto pair) {
    auto [rangeA, rangeB] = pair;
    return rangeA.second < rangeB.first || rangeB.second < rangeA.first;
  });
}

MemRefType reshapedIn(MemRefType place, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> placeStrides, sizes, strides;
  int64_t offset;
  // One dynamic size on each side: as the others agree, so do they.
  if (place.getNumDynamicDims() > 1 || llvm::count_if(shape, ShapedType::isDynamic) != place.getNumDynamicDims() ||
      llvm::is_contained(shape, 0) || failed(getStridesAndOffset(place, placeStrides, offset)) ||
      ShapedType::isDynamic(offset))
    return {};
  for (auto [size, stride] : llvm::zip(place.getShape(), placeStrides))
    if (size != 1) {
      if (ShapedType::isDynamic(stride))
        return {};
      sizes.push_back(size);
      strides.push_back(stride);
    }
  // Groups of dims with equal products, from the front: gapless ones on the side of the place, any on the other.
  SmallVector<int64_t> result(shape.size(), 1);
  size_t from = 0, to = 0;
  while (from < sizes.size() && to < shape.size()) {
    size_t fromEnd = from + 1, toEnd = to + 1;
    int64_t have = sizes[from], need = shape[to];
    while (need == 1 && have != 1 && toEnd < shape.size()) // a unit dim in front of the dim that moves
      need = shape[toEnd++];
    while (have != need) {
      if (ShapedType::isDynamic(have) || ShapedType::isDynamic(need))
        return {};
      if (need < have ? toEnd == shape.size() : fromEnd == sizes.size())
        return {};
      if (need < have)
        need *= shape[toEnd++];
      else
        have *= sizes[fromEnd++];
    }
    for (size_t i = from; i + 1 < fromEnd; ++i)
      if (strides[i] != sizes[i + 1] * strides[i + 1])
        return {};
    int64_t stride = strides[fromEnd - 1];
    for (size_t i = toEnd; i-- > to;) {
      result[i] = stride;
      stride =
          ShapedType::isDynamic(shape[i]) || ShapedType::isDynamic(stride) ? ShapedType::kDynamic : stride * shape[i];
    }
    from = fromEnd;
    to = toEnd;
  }
  if (from < sizes.size() || llvm::any_of(shape.drop_front(to), [](int64_t size) { return size != 1; }))
    return {};
  auto plain = MemRefType::get(shape, place.getElementType(), MemRefLayoutAttrInterface(), place.getMemorySpace());
  auto strided = StridedLayoutAttr::get(place.getContext(), offset, result);
  auto [plainStrides, plainOffset] = getStridesAndOffset(plain);
  if (offset == plainOffset && ArrayRef(result) == ArrayRef(plainStrides))
    return plain;
  return MemRefType::get(shape, place.getElementType(), strided, place.getMemorySpace());
}

} // namespace sinter
