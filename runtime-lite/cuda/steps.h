// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call makes the GPU do, as a list in order: launches of kernels, and copies. Each call writes the list anew
// into the same places; a step that became another one is marked, so that a graph made of the list is changed where it
// must be.
#pragma once

#include "runtime-lite/cuda/driver.h"

#include <string.h>

namespace sinter {
namespace {

enum class StepKind { None, Launch, ToDevice, ToHost, OnDevice };

struct DeviceStep {
  StepKind kind;
  bool isChanged; ///< since a graph was made of it, or set to it
  int kernel;
  unsigned grid[3], block[3], sharedBytes;
  int firstArgument, argumentCount;
  CuPointer to, from; ///< of copies; addresses of the host too
  size_t bytes;

  bool isEmptyLaunch() const { return kind == StepKind::Launch && (grid[0] == 0 || grid[1] == 0 || grid[2] == 0); }
};

/// How many blocks or threads there are in each dimension.
struct Extent {
  int64_t x, y = 1, z = 1;
};

/// How many blocks of `perBlock` cover `items`, at most `most`.
[[maybe_unused]] static inline int64_t blocksOf(int64_t items, int64_t perBlock, int64_t most = 0x7fffffff) {
  const int64_t blocks = (items + perBlock - 1) / perBlock;
  return blocks < most ? blocks : most;
}

/// The list, in arrays of the program's.
struct DeviceSteps {
  DeviceStep *steps;
  int capacity, count;
  uint64_t *words; ///< values of arguments
  int wordCapacity, wordCount;
  void **arguments; ///< where each argument's value is
  int argumentCapacity, argumentCount;
  bool isTooLong; ///< a mistake of the program: the arrays are too short, or a grid is larger than GPUs allow

  void clear() {
    count = wordCount = argumentCount = 0;
    isTooLong = false;
  }

  /// Whether one more launch (or so many copies) is more than there are places for.
  bool lacksRoomFor(size_t moreArguments, size_t moreWords, int copies = 1) const {
    return capacity - count < copies || static_cast<size_t>(argumentCapacity - argumentCount) < moreArguments ||
           static_cast<size_t>(wordCapacity - wordCount) < moreWords;
  }

  template <class... Arguments>
  void launch(int kernel, Extent grid, Extent block, unsigned sharedBytes, const Arguments &...values) {
    // What any GPU takes. The first is 2^31 - 1, the others 65535.
    if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535 || block.x * block.y * block.z > 1024)
      isTooLong = true;
    DeviceStep *step = next(StepKind::Launch);
    if (!step)
      return;
    change(*step, step->kernel, kernel);
    changeExtent(*step, step->grid, grid);
    changeExtent(*step, step->block, block);
    change(*step, step->sharedBytes, sharedBytes);
    change(*step, step->firstArgument, argumentCount);
    change(*step, step->argumentCount, static_cast<int>(sizeof...(Arguments)));
    (addArgument(*step, static_cast<const void *>(&values), sizeof(values)), ...);
  }

  void copy(StepKind kind, CuPointer to, CuPointer from, size_t bytes) {
    DeviceStep *step = next(bytes == 0 ? StepKind::None : kind);
    if (!step)
      return;
    change(*step, step->to, to);
    change(*step, step->from, from);
    change(*step, step->bytes, bytes);
  }

  void none() { next(StepKind::None); }

private:
  template <class T>
  static void change(DeviceStep &step, T &field, T value) {
    if (field != value) {
      field = value;
      step.isChanged = true;
    }
  }
  static void changeExtent(DeviceStep &step, unsigned (&field)[3], Extent extent) {
    change(step, field[0], static_cast<unsigned>(extent.x));
    change(step, field[1], static_cast<unsigned>(extent.y));
    change(step, field[2], static_cast<unsigned>(extent.z));
  }

  DeviceStep *next(StepKind kind) {
    if (count == capacity) {
      isTooLong = true;
      return nullptr;
    }
    DeviceStep &step = steps[count++];
    change(step, step.kind, kind);
    return &step;
  }

  /// A value takes whole words, since the driver reads it where it lies.
  void addArgument(DeviceStep &step, const void *value, size_t bytes) {
    const int needed = static_cast<int>((bytes + 7) / 8);
    if (needed > wordCapacity - wordCount || argumentCount == argumentCapacity) {
      isTooLong = true;
      return;
    }
    uint64_t *place = words + wordCount;
    wordCount += needed;
    if (memcmp(place, value, bytes) != 0 || arguments[argumentCount] != place) {
      memcpy(place, value, bytes);
      step.isChanged = true;
    }
    arguments[argumentCount++] = place;
  }
};

} // namespace
} // namespace sinter
