// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What spreads a value over more elements (Expand, Tile of dims that are 1), and what becomes of it in nodes that read
// it. For join-spreads.
#pragma once

#include "simplify/work.h"

namespace sinter::simplify {

inline const SizeFact dimOfOne = {1, "1", true};

class Spreads {
public:
  explicit Spreads(Work &work) : work(work) {}

  std::optional<Dims> dims(llvm::StringRef value) const;
  /// Of a value that the step makes.
  void setDims(const std::string &value, Dims dims) { dimsOfMade[value] = std::move(dims); }
  /// Of a value of integers.
  std::optional<Dims> elements(llvm::StringRef value) const;

  /// What spreads by lists: Expand, Tile of dims that are 1, and what only puts dims of 1 in front. None otherwise.
  std::optional<Dims> listOf(const onnx::NodeProto &node) const;
  bool isSpread(const onnx::NodeProto &node) const;

  /// Whether the node spreads an operand that is `from` as the spread before it does, so that it needs none.
  bool isSpreadBy(const onnx::NodeProto &node, int input, const Dims &from) const;
  /// Whether the node is elementwise, and may as well read `from` and be spread to `to` afterwards.
  bool isSameBefore(const onnx::NodeProto &node, int input, const Dims &from, const Dims &to) const;

  /// Decides whether nodes that read what this one spreads go before it. While they are as they were.
  void decide(const onnx::NodeProto &node);
  bool sinks(llvm::StringRef spread) const { return sinking.contains(spread); }

private:
  bool mayMove(const onnx::NodeProto &node) const;
  std::optional<Dims> dimsWith(const onnx::NodeProto &node, int input, const Dims &instead) const;
  std::optional<int> leftBehind(llvm::StringRef value, const Dims &from, const Dims &to, int &budget) const;

  Work &work;
  std::map<std::string, Dims, std::less<>> dimsOfMade;
  llvm::StringSet<> sinking;
};

} // namespace sinter::simplify
