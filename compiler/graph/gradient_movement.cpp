// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of what moves elements. Where the way back is no operator of its own, the node is asked where each element of
// its result came from, by moving the operand's indices, and the adjoint is added there.
#include "gradient_rules.h"

using namespace mlir;

namespace sinter {
namespace {

/// dy added into zeros of x's shape, at flat indices of y's shape.
Value scattered(Adjoint &a, Value places) {
  Value row = a.integers(int64_t(-1));
  auto flat = [&](Value v) { return a.op("Reshape", {v, row}, {a.attribute("allowzero", int64_t(0))}); };
  Value zeros = a.op("Expand", {a.number(0, a.dy()), flat(a.op("Size", {a.x()}))});
  NamedAttribute attributes[] = {a.attribute("axis", int64_t(0)), a.attribute("reduction", "add")};
  return a.reshapedLike(a.op("ScatterElements", {zeros, flat(places), flat(a.dy())}, attributes), a.x());
}

void movedRule(Adjoint &a) {
  Value indices = a.op("Range", {a.integer(0), a.op("Size", {a.x()}), a.integer(1)});
  a.give(0, scattered(a, a.again(a.reshapedLike(indices, a.x()))));
}

void nearestRule(Adjoint &a) {
  if (a.string("mode") != "nearest")
    return a.unsupported("only with mode 'nearest'");
  movedRule(a);
}

void maxPoolRule(Adjoint &a) {
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute attribute : a.node.getAttrs())
    if (attribute.getName() != "storage_order")
      attributes.push_back(attribute);
  attributes.push_back(a.attribute("storage_order", int64_t(0)));
  Value maxima = a.op("MaxPool", {a.x()}, attributes, 2);
  a.give(0, scattered(a, maxima.getDefiningOp()->getResult(1)));
}

void reshapeRule(Adjoint &a) { a.give(0, a.reshapedLike(a.dy(), a.x())); }
void expandRule(Adjoint &a) { a.giveSummed(0, a.dy()); }

void transposeRule(Adjoint &a) {
  auto perm = a.integers("perm");
  if (!perm)
    return a.give(0, a.op("Transpose", {a.dy()}));
  SmallVector<int64_t> back(perm->size());
  for (auto [i, from] : llvm::enumerate(*perm))
    if (from < 0 || from >= static_cast<int64_t>(back.size()))
      return a.unsupported("only with a permutation of the dims");
    else
      back[static_cast<size_t>(from)] = static_cast<int64_t>(i);
  a.give(0, a.op("Transpose", {a.dy()}, {a.attribute("perm", ArrayRef<int64_t>(back))}));
}

void concatRule(Adjoint &a) {
  if (a.inputCount() == 1)
    return a.give(0, a.dy());
  NamedAttribute axis = a.attribute("axis", a.integer("axis", 0)), first = a.attribute("axis", int64_t(0));
  SmallVector<Value> sizes;
  for (Value x : a.node.getInputs())
    sizes.push_back(a.op("Gather", {a.shape(x), a.integers(a.integer("axis", 0))}, first));
  Value parts = a.op("Split", {a.dy(), a.op("Concat", sizes, first)}, axis, static_cast<unsigned>(sizes.size()));
  for (size_t i = 0; i < sizes.size(); ++i)
    a.give(i, parts.getDefiningOp()->getResult(static_cast<unsigned>(i)));
}

void splitRule(Adjoint &a) {
  SmallVector<Value> parts;
  for (auto [i, part] : llvm::enumerate(a.results))
    parts.push_back(part ? part : a.filled(0, a.y(i)));
  a.give(0, a.op("Concat", parts, {a.attribute("axis", a.integer("axis", 0))}));
}

/// Pads of the other sign take away what was added, and add zeros where something was taken away.
void padRule(Adjoint &a) {
  if (a.string("mode") != "constant" && !a.string("mode").empty())
    return movedRule(a);
  if (a.wants(2))
    return a.unsupported("only by what is padded");
  auto stated = a.integers("pads"); // an operand since version 11
  SmallVector<Value> operands{a.dy(), a.neg(stated ? a.integers(*stated) : a.x(1))};
  if (a.has(3))
    llvm::append_values(operands, a.number(0, a.dy()), a.x(3));
  a.give(0, a.op("Pad", operands, {a.attribute("mode", "constant")}));
}

void triluRule(Adjoint &a) {
  SmallVector<Value> operands{a.dy()};
  if (a.has(1))
    operands.push_back(a.x(1));
  a.give(0, a.op("Trilu", operands, {a.attribute("upper", a.integer("upper", 1))}));
}

/// ScatterElements and ScatterND, which overwrite or add.
template <bool areElements>
void scatterRule(Adjoint &a) {
  StringRef reduction = a.string("reduction");
  bool adds = reduction == "add";
  if (!adds && reduction != "none" && !reduction.empty())
    return a.unsupported("only with reduction 'none' or 'add'");
  NamedAttribute axis = a.attribute("axis", a.integer("axis", 0));
  if (a.wants(0) && adds)
    a.give(0, a.dy());
  else if (a.wants(0)) {
    SmallVector<NamedAttribute> attributes{a.attribute("reduction", "none")};
    if (areElements)
      attributes.push_back(axis);
    a.give(0, a.op(areElements ? "ScatterElements" : "ScatterND", {a.dy(), a.x(1), a.filled(0, a.x(2))}, attributes));
  }
  if (a.wants(2))
    a.give(2, areElements ? a.op("GatherElements", {a.dy(), a.x(1)}, axis)
                          : a.op("GatherND", {a.dy(), a.x(1)}, {a.attribute("batch_dims", int64_t(0))}));
}

constexpr GradientRule movementTable[] = {
    {"Concat", 4, concatRule},
    {"DepthToSpace", 1, movedRule},
    {"Expand", 8, expandRule},
    {"Flatten", 1, reshapeRule},
    {"Gather", 1, movedRule},
    {"GatherElements", 11, movedRule},
    {"GatherND", 11, movedRule},
    {"MaxPool", 1, maxPoolRule},
    {"Pad", 2, padRule},
    {"Reshape", 5, reshapeRule},
    {"Resize", 10, nearestRule},
    {"ReverseSequence", 10, movedRule},
    {"ScatterElements", 11, scatterRule<true>},
    {"ScatterND", 11, scatterRule<false>},
    {"Slice", 1, movedRule},
    {"SpaceToDepth", 1, movedRule},
    {"Split", 2, splitRule},
    {"Squeeze", 1, reshapeRule},
    {"Tile", 6, movedRule},
    {"Transpose", 1, transposeRule},
    {"Trilu", 14, triluRule},
    {"Unsqueeze", 1, reshapeRule},
    {"Upsample", 7, nearestRule},
};
} // namespace

ArrayRef<GradientRule> movementRules() { return movementTable; }

} // namespace sinter
