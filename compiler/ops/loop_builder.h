// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over carried tensors and collected ones, for Loop and Scan: builds the body, sees which sizes change, and makes
// the buffers.
#pragma once

#include "meeting.h"

namespace sinter {

class LoopBuilder {
public:
  /// The first `carriedCount` tensors are carried values, the others collected along a new leading dim.
  LoopBuilder(Op &op, unsigned carriedCount) : op(op), carriedCount(carriedCount) {}
  ~LoopBuilder() { discard(); }

  llvm::SmallVector<Tensor> initial; ///< carried values before the first iteration
  llvm::SmallVector<unsigned>
      outputs; ///< the output that each is (a part of), carried and collected; all in order if empty
  /// Makes one iteration: the condition to go on, carried values, collected values.
  using Body = std::function<mlir::FailureOr<llvm::SmallVector<Tensor>>(mlir::OpBuilder &, mlir::Value index,
                                                                        mlir::Value condition, llvm::ArrayRef<Tensor>)>;
  Body body;

  /// As scf.for. False, with nothing built, when the condition that the body makes is not constant truth.
  mlir::FailureOr<bool> buildFor(Size trips);
  /// As scf.while, with a limit of iterations where `trips` is given.
  mlir::LogicalResult buildWhile(std::optional<Size> trips, mlir::Value condition);
  /// Makes the body once, for bodies that learn from what they are given. What it learns holds for another builder; if
  /// it is nothing, this one goes on with what was made.
  mlir::LogicalResult tryBody(std::optional<Size> trips) { return probe(trips); }
  /// What the loop left, carried and collected.
  llvm::SmallVector<Tensor> results;

private:
  /// What is collected: one buffer, and an index for each dim of which only an iteration knows how large it is.
  struct Collected {
    Sizes room; ///< of one iteration; of a dim that varies the most that it may be
    llvm::SmallVector<bool> varying;
    ElementType element;
    unsigned count() const { return 1 + llvm::count(varying, true); }
  };
  struct Plan {
    llvm::SmallVector<Meeting> carried;
    llvm::SmallVector<Collected> collected;
    bool alwaysTrue = false;
  };
  /// What stands for a carried value in the probe: values as its Meeting has them, and the tensor that these are.
  struct StandIn {
    llvm::SmallVector<mlir::Value> values;
    Tensor tensor;
  };
  /// The body, built in a loop of one iteration, and what that said.
  struct Probed {
    mlir::scf::ForOp loop;
    llvm::SmallVector<mlir::Value> standIns; ///< of all carried values
    mlir::Value index;
    llvm::SmallVector<Tensor> made;
    Plan plan;
  };
  /// Carried value i as the body sees it in any iteration: what it is before the first one is not known of it, but for
  /// its type and those dims that are not `unknown`; these have a bound.
  StandIn carriedLike(mlir::OpBuilder &b, unsigned i, llvm::ArrayRef<bool> unknown, mlir::scf::ForOp loop) const;
  /// Builds the body once, to see sizes and condition.
  mlir::LogicalResult probe(std::optional<Size> trips);
  /// The same with these dims of carried values as unknown; true, and more are, if that does not hold.
  mlir::FailureOr<bool> probeWith(llvm::MutableArrayRef<llvm::SmallVector<bool>> unknown, std::optional<Size> trips);
  /// Takes back what the probe built.
  void discard();
  /// What an iteration makes, at the place of `inside`, of what the loop carries: what the probe built, or the body
  /// once more.
  mlir::FailureOr<llvm::SmallVector<Tensor>> iteration(mlir::OpBuilder &inside, mlir::Value index,
                                                       mlir::Value condition, const Plan &plan, mlir::ValueRange state);
  mlir::FailureOr<Size> capacityOf(unsigned output, std::optional<Size> trips) const;
  /// What an iteration hands on for the carried and the collected values, given those that it got. All reads come
  /// before all writes.
  llvm::SmallVector<mlir::Value> handOn(mlir::OpBuilder &b, const Plan &plan, llvm::ArrayRef<Tensor> made,
                                        mlir::ValueRange state, mlir::Value index) const;
  /// What stands for a collection before the first of `most` iterations.
  void addEmpty(const Collected &collected, Size most, llvm::SmallVector<mlir::Value> &starts) const;
  /// The same with what iteration `index` adds, given what stood for it before.
  llvm::SmallVector<mlir::Value> collectInto(mlir::OpBuilder &b, Tensor value, mlir::ValueRange before,
                                             const Collected &collected, mlir::Value index) const;
  void finish(const Plan &plan, mlir::ValueRange values, llvm::function_ref<Size(unsigned)> count);
  unsigned outputOf(unsigned i) const { return outputs.empty() ? i : outputs[i]; }

  Op &op;
  unsigned carriedCount;
  std::optional<Probed> probed;
};

} // namespace sinter
