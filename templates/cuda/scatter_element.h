// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ScatterElements and ScatterND, a thread for each element of the output, so that updates of one element happen in
// their order whatever runs first. A block's elements are neighbours; it looks through all updates, 256 at a time: each
// thread finds the place of one, and only where one falls among the block's do the threads look for their own.
#pragma once

#include "templates/cuda/device_memory.h"
#include "templates/cuda/element_index.h"
#include "templates/selection/scatter_elements.h"
#include "templates/selection/scatter_nd.h"

namespace sinter {
namespace {

/// Of a block, and of its shared memory: the places at hand.
constexpr int kScatterThreads = 256, kScatterBytes = kScatterThreads * 8;

/// For each update of `count` whose place is `own`: apply(update), in their order. placeOfUpdate(i): -1 for none. The
/// places of the block's threads are first .. last. All threads of the block come here.
template <class PlaceOfUpdate, class Apply>
SINTER_DEVICE void forUpdatesOf(int64_t own, int64_t first, int64_t last, int64_t count, PlaceOfUpdate placeOfUpdate,
                                Apply apply) {
  int64_t *const places = cuda::sharedMemoryAs<int64_t>();
  const int thread = cuda::threadIndex();
  for (int64_t begin = 0; begin < count; begin += kScatterThreads) {
    const int64_t place = begin + thread < count ? placeOfUpdate(begin + thread) : -1;
    cuda::syncBlock(); // places of before have been read
    places[thread] = place;
    if (!cuda::syncBlockAny(place >= first && place <= last))
      continue;
    for (int i = 0; i < kScatterThreads; ++i)
      if (places[i] == own)
        apply(begin + i);
  }
}

/// What lies at an output element of that number before any update, and where it goes; false past the last.
template <class D, class Y, int R>
SINTER_DEVICE bool startOf(int64_t element, const View<D, R> &data, const View<Y, R> &y, Y &value, Y *&to) {
  int64_t index[R] = {};
  if (!cuda::indexOf(element, y.sizes, index))
    return false;
  value = data.data[placeOf(index, data.strides)];
  to = y.data + placeOf(index, y.strides);
  return true;
}

template <class D, class I, class U, class Y, int R>
SINTER_DEVICE int scatterElementsElement(int64_t element, const ScatterElementsParams &p, const View<D, R> &data,
                                         const View<I, R> &indices, const View<U, R> &updates, const View<Y, R> &y) {
  int status = 0;
  const int axis = int(p.axis);
  Y value{}, *to = nullptr;
  bool isNew = static_cast<const void *>(data.data) != y.data; // else what nobody updates stays
  const bool isThere = startOf(element, data, y, value, to);
  const auto place = [&](int64_t update) {
    int64_t index[R] = {}, number = 0;
    cuda::indexOf(update, indices.sizes, index);
    int64_t at = int64_t(indices.data[placeOf(index, indices.strides)]);
    at += at < 0 ? y.sizes[axis] : 0;
    if (at < 0 || at >= y.sizes[axis]) {
      status = 5; // index out of range
      return int64_t(-1);
    }
    for (int d = 0; d < R; ++d)
      number = number * y.sizes[d] + (d == axis ? at : index[d]);
    return number;
  };
  const int64_t first = element - cuda::threadIndex(), last = first + kScatterThreads - 1;
  forUpdatesOf(element, first, last, elements(indices), place, [&](int64_t update) {
    int64_t index[R] = {};
    cuda::indexOf(update, indices.sizes, index);
    scatterOne(p.reduction, value, updates.data[placeOf(index, updates.strides)]);
    isNew = true;
  });
  if (isThere && isNew)
    *to = value;
  return status;
}

/// A place is the number of a slice: the block's elements are of one or of a few.
template <class D, class I, class U, class Y, int R>
SINTER_DEVICE int scatterNdElement(int64_t element, const ScatterNdParams &p, const View<D, R> &data,
                                   const View<I, 2> &indices, const View<U, 2> &updates, const View<Y, R> &y) {
  int status = 0;
  Y value{}, *to = nullptr;
  bool isNew = static_cast<const void *>(data.data) != y.data; // else what nobody updates stays
  const bool isThere = startOf(element, data, y, value, to);
  const int64_t width = y.sizes[R - 1] > 0 ? y.sizes[R - 1] : 1, j = element % width;
  const auto place = [&](int64_t update) {
    int64_t number = 0;
    for (int k = 0; k < R - 1; ++k) {
      int64_t at = int64_t(indices.data[update * indices.strides[0] + k * indices.strides[1]]);
      at += at < 0 ? y.sizes[k] : 0;
      if (at < 0 || at >= y.sizes[k]) {
        status = 5; // index out of range
        return int64_t(-1);
      }
      number = number * y.sizes[k] + at;
    }
    return number;
  };
  const int64_t first = element - cuda::threadIndex(), last = first + kScatterThreads - 1;
  forUpdatesOf(element / width, first / width, last / width, indices.sizes[0], place, [&](int64_t update) {
    scatterOne(p.reduction, value, updates.data[update * updates.strides[0] + j * updates.strides[1]]);
    isNew = true;
  });
  if (isThere && isNew)
    *to = value;
  return status;
}

} // namespace
} // namespace sinter
