// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each step is given: the main graph, what is known of its values, and how a value takes the place of another.
#pragma once

#include "simplify/simplify.h"

#include "quantize/graph_edit.h"
#include "quantize/model_file.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>

namespace sinter::simplify {

using quantize::attributeOf;
using quantize::integerOf;
using quantize::isStandard;
using quantize::stringOf;

using Dims = std::vector<SizeFact>;

class Work {
public:
  Work(onnx::ModelProto &model, const ValueFacts &facts, const SimplifyOptions &options,
       quantize::OutsideWeights &outside)
      : model(model), edit(model, &outside), facts(facts), options(options), opset(quantize::opsetOf(model)) {
    index();
  }

  onnx::ModelProto &model;
  quantize::GraphEdit edit;
  const ValueFacts &facts;
  const SimplifyOptions &options;
  int64_t opset;

  bool isOutput(llvm::StringRef value) const { return outputs.contains(value); }
  /// Only one node of the main graph reads it.
  bool hasOneReader(llvm::StringRef value) const { return edit.readers(value).size() == 1 && !isOutput(value); }
  /// The node that makes a value, if it is of the standard domain and this type.
  onnx::NodeProto *makerOf(llvm::StringRef value, llvm::StringRef type);

  std::optional<Dims> dims(llvm::StringRef value) const;
  ElementType element(llvm::StringRef value) const;
  /// The elements of an initializer of integers.
  std::optional<std::vector<int64_t>> integers(llvm::StringRef value) const;
  /// The one number that all elements of a float or integer initializer are.
  std::optional<double> number(llvm::StringRef value) const;

  /// Of a Transpose: dims other than 1 stay in their order, so that it only states another shape.
  bool keepsOrder(const onnx::NodeProto &transpose) const;

  /// Whoever reads `value` is to read `by`, which is there before. Takes effect in settle(). False: it cannot be.
  bool replace(llvm::StringRef value, llvm::StringRef by);
  /// What `value` will be read as.
  std::string replaced(llvm::StringRef value) const;
  /// Makes an operand a list of int64 that is known.
  void setIntegers(onnx::NodeProto &node, int input, llvm::ArrayRef<int64_t> values);
  /// Ends a step: replacements are done, indices are those of the graph as it is.
  void settle();

private:
  void index();

  llvm::StringSet<> outputs;
  llvm::StringMap<std::string> readInstead, renamed;
};

/// Gives the node an attribute that it does not have.
void setIntegerList(onnx::NodeProto &node, llvm::StringRef name, llvm::ArrayRef<int64_t> values);

/// An operand of Reshape that makes `to` of `from`: 0 where a dim stays, -1 for one that is no number.
std::optional<std::vector<int64_t>> reshapeOperand(const Dims &from, const Dims &to);

/// Calls `visit` with each name that the node reads of the graph around it, and with those that its subgraphs read.
void forEachRead(const onnx::NodeProto &node, llvm::function_ref<void(const std::string &)> visit);

/// What a body reads of the graphs around it, in order of names.
std::set<std::string> capturedBy(const onnx::GraphProto &body);

/// The node itself draws random numbers: results differ from call to call, or from runtime to runtime. A Dropout with a
/// training mode may.
bool drawsRandomNumbers(const onnx::NodeProto &node);

/// The node, or one in its bodies, draws random numbers.
bool isRandom(const onnx::NodeProto &node);

// The steps. Each says how much it changed.
#define SINTER_SIMPLIFICATION(function, name, exact, summary) int64_t function(Work &work);
#include "passes.def"
#undef SINTER_SIMPLIFICATION

} // namespace sinter::simplify
