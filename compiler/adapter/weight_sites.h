// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where node IR uses the weight of a module of PyTorch's: model.layers.0.self_attn.q_proj.
#pragma once

#include "ir/dialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>
#include <vector>

namespace sinter {

/// An attribute of nodes that an adapter has added: they are none of a module's, though they are named as the product
/// that they stand beside.
constexpr llvm::StringLiteral adapterNode = "sinter.adapter_node";

/// A product with a weight, or a table that rows are taken of.
struct WeightSite {
  NodeOp node;
  mlir::OpOperand *use = nullptr; ///< of the weight; null: it has few bits, or is made of something else
  bool isOutputsFirst = false;    ///< W is [outputs, inputs], as PyTorch has it; else [inputs, outputs]
  /// Of a product that several modules share: where the outputs of this one are, which way they are counted.
  enum class Part { All, First, Last, BeforeLast } part = Part::All;

  WeightOp weight() const { return use ? use->get().getDefiningOp<WeightOp>() : WeightOp(); }
};

class WeightSites {
public:
  explicit WeightSites(mlir::ModuleOp module);
  mlir::ModuleOp module() const { return whole; }

  /// All uses of the module's weight; none where nothing has its name, or things that have it are different weights.
  /// What models that also see or hear put around their decoder, it may lack.
  std::vector<WeightSite> find(llvm::StringRef module) const;
  /// The weight whose name is this, or ends in it behind a dot.
  WeightOp weightNamed(llvm::StringRef name) const;

private:
  using Path = llvm::SmallVector<llvm::StringRef, 8>;
  struct NamedNode {
    NodeOp node;
    Path path;
  };
  std::vector<WeightSite> findByPath(llvm::StringRef module) const;
  std::vector<WeightSite> sitesOf(WeightOp weight) const;
  std::vector<WeightSite> sitesByNode(llvm::StringRef module) const;

  mlir::ModuleOp whole;
  std::vector<WeightOp> weights;
  std::vector<NamedNode> nodes;
};

} // namespace sinter
