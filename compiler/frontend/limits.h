// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Budgets on what a model may ask of the compiler. Each has a diagnostic (E05xx) and tests at the limit and above.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sinter {

/// Of one tensor. Sizes in elements and in bytes, and sums of some of them, then fit 64 bits.
constexpr int64_t mostElements = int64_t(1) << 40;

struct Limits {
  uint64_t modelBytes = uint64_t(2) << 30;      ///< of the .onnx file; protobuf itself ends there
  uint64_t metadataBytes = uint64_t(512) << 20; ///< of the file without tensor data, which is what protobuf parses
  uint64_t metadataUnits = uint64_t(128) << 20; ///< its fields, each in units of about 16 bytes of memory: see wire.cpp
  uint64_t nodes = 1000000;                     ///< nodes in the file
  uint64_t tensors = 1000000;                   ///< tensors in the file, attributes included
  uint64_t expandedNodes = 1000000;             ///< nodes once functions are inlined; unrolled ones, again
  uint64_t expandedPerNode = 64;                ///< the same for each node in the file, beside expandedAtLeast
  uint64_t expandedAtLeast = 65536;
  uint64_t elements = mostElements;                ///< of one tensor
  uint64_t strings = uint64_t(16) << 20;           ///< of one string tensor
  uint64_t expandedBytes = uint64_t(256) << 20;    ///< of one sparse tensor made dense
  uint64_t expandedBytesTotal = uint64_t(1) << 30; ///< of all of them, and of numbers decoded from varints
  size_t problems = 1000;                          ///< reported; a hostile model could have millions
  unsigned rank = 16;
  unsigned subgraphDepth = 30; ///< three messages each; protobuf reads 100 within each other
  unsigned functionDepth = 64; ///< calls of functions within functions
  unsigned typeDepth = 8;      ///< sequences of optionals of ...

  /// What a file of so many nodes may be expanded to.
  uint64_t expanded(uint64_t fileNodes) const {
    return std::min(expandedNodes, expandedAtLeast + expandedPerNode * fileNodes);
  }
};

} // namespace sinter
