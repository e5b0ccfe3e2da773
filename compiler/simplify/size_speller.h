// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of sizes as nodes: dims of values that are there by Shape, sizes that nodes compute as they are, numbers, in a
// Concat. What two lists have in common is one node.
#pragma once

#include "simplify/work.h"

#include <map>

namespace sinter::simplify {

/// A value by the nodes that it takes.
struct Spelling {
  std::string value;
  std::set<std::string> made; ///< values that the speller would make for it, this one and what it reads
  std::set<int> kept;         ///< nodes of the graph that it reads
};

class SizeSpeller {
public:
  explicit SizeSpeller(Work &work);

  /// A list of int64, not empty, for the node at this place; none: it cannot be said.
  std::optional<Spelling> spell(llvm::ArrayRef<SizeFact> sizes, int place);
  /// The list, or the scalar, that a value of the graph is; none too where it is constant.
  std::optional<Spelling> spellAs(llvm::StringRef value, int place);
  /// Nodes that compute only sizes and that the value is made by, back to what is none.
  std::set<int> cone(llvm::StringRef value) const;
  /// A node that only computes small integers, of the main graph.
  bool computesSizes(int node) const { return isSizeNode[static_cast<size_t>(node)]; }
  /// The node counts as one that reads sizes, from here on.
  void keep(int node) { isSizeNode[static_cast<size_t>(node)] = false; }
  /// The nodes that these spellings need, by the node that they go behind; -1: in front. Their constants join the
  /// graph.
  std::map<int, std::vector<onnx::NodeProto>> take(llvm::ArrayRef<Spelling> spellings);
  /// The nodes join the graph, too.
  void insert(llvm::ArrayRef<Spelling> spellings);

private:
  /// Where a dim of the graph stands.
  struct Place {
    std::string value;
    int64_t axis;
    int behind; ///< the node that makes it; -1: an input
  };
  struct Made {
    onnx::NodeProto node;
    int behind; ///< the last node that it reads
  };

  const Place *findDims(llvm::ArrayRef<SizeFact> sizes, int place, int64_t &count) const;
  /// What the node makes, of the graph where that has it; `behind` grows to the last node that it has to stand behind.
  std::string make(onnx::NodeProto node, int place, int &behind, Spelling &spelling);
  std::string shapeOf(const Place &dim, int64_t count, int place, int &behind, Spelling &spelling);
  std::string numbers(llvm::ArrayRef<int64_t> list, bool isScalar = false);
  std::optional<Spelling> spellScalar(const SizeFact &size, int place);

  Work &work;
  std::vector<bool> isSizeNode;
  std::map<std::string, std::vector<Place>> dims; ///< by text
  std::map<std::string, std::string> lists;       ///< values of one size, by text
  std::map<std::string, Made> nodes;              ///< by the value that each makes
  std::map<std::string, std::string> there;       ///< what Shapes of the graph make, by what they are
  std::map<std::string, std::string> values;      ///< what nodes of the speller make
  std::map<std::pair<std::vector<int64_t>, bool>, onnx::TensorProto> constants;
};

} // namespace sinter::simplify
