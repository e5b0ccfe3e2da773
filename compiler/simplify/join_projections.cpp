// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of more dims as Gemm. A MatMul with a matrix treats all dims but the last as rows; between nodes that
// reshape, which then reshape to and from rows, MatMul and Add are one Gemm: so projections for attention, whose result
// is split into heads, share one Reshape to rows. Gemm also reads a matrix that a Transpose turns as it lies.
#include "simplify/work.h"

#include <map>

using namespace llvm;

namespace sinter::simplify {
namespace {

bool isFloat32(const Work &work, StringRef value) { return work.element(value) == ElementType::Float; }

/// Add(MatMul(x, w), bias), reshaped; nothing else reads what lies between.
struct Projection {
  int product, sum, reshape; ///< nodes
  std::string bias;
};

std::optional<Projection> projectionOf(Work &work, int reshape) {
  const onnx::NodeProto &after = work.edit.node(reshape);
  auto to = isStandard(after, "Reshape") ? work.dims(after.output(0)) : std::nullopt;
  if (!to || !reshapeOperand({}, *to) || !work.hasOneReader(after.input(0)))
    return std::nullopt;
  int sum = work.edit.maker(after.input(0));
  if (sum < 0 || !isStandard(work.edit.node(sum), "Add"))
    return std::nullopt;
  for (int i : {0, 1}) {
    const std::string &product = work.edit.node(sum).input(i), &bias = work.edit.node(sum).input(1 - i);
    int matMul = work.edit.maker(product);
    if (matMul < 0 || !isStandard(work.edit.node(matMul), "MatMul") || !work.hasOneReader(product) ||
        !work.edit.constant(bias))
      continue;
    auto x = work.dims(work.edit.node(matMul).input(0)), w = work.dims(work.edit.node(matMul).input(1)),
         b = work.dims(bias);
    if (x && w && b && x->size() > 2 && w->size() == 2 && b->size() == 1 && (*b)[0] == (*w)[1] && (*w)[0].number &&
        (*w)[1].number && isFloat32(work, product))
      return Projection{matMul, sum, reshape, bias};
  }
  return std::nullopt;
}

/// Who makes `x` only states another shape, for these projections alone.
bool comesReshaped(Work &work, StringRef x, size_t projections) {
  return work.makerOf(x, "Reshape") && !work.isOutput(x) && work.edit.readers(x).size() == projections;
}

int64_t joinRows(Work &work) {
  if (work.opset < 7) // a bias is not spread
    return 0;
  std::map<std::string, std::vector<Projection>> ofOperand;
  for (int n = 0; n < work.edit.nodes(); ++n)
    if (std::optional<Projection> projection = projectionOf(work, n))
      ofOperand[work.edit.node(projection->product).input(0)].push_back(*projection);
  std::map<int, onnx::NodeProto> inFront; // of which product
  int64_t joined = 0;
  for (const auto &[x, projections] : ofOperand) {
    if (projections.size() < 2 && !comesReshaped(work, x, projections.size()))
      continue; // as many nodes as before
    auto first = llvm::min_element(projections, [](const auto &a, const auto &b) { return a.product < b.product; });
    int64_t width = *(*work.dims(work.edit.node(first->product).input(1)))[0].number;
    std::string rows = work.edit.freshName(x + "_rows");
    onnx::NodeProto toRows = quantize::makeNode("Reshape", {x}, {rows}, rows);
    work.setIntegers(toRows, 1, {-1, width});
    inFront[first->product] = std::move(toRows);
    for (const Projection &projection : projections) {
      onnx::NodeProto &product = work.edit.node(projection.product), &sum = work.edit.node(projection.sum),
                      &reshape = work.edit.node(projection.reshape);
      work.setIntegers(reshape, 1, *reshapeOperand({}, *work.dims(reshape.output(0))));
      quantize::removeAttribute(reshape, "allowzero");
      onnx::NodeProto gemm =
          quantize::makeNode("Gemm", {rows, product.input(1), projection.bias}, {sum.output(0)}, product.name());
      gemm.set_doc_string(product.doc_string());
      product.set_name(product.name() + "_joined");
      sum = std::move(gemm);
      ++joined;
    }
  }
  if (inFront.empty())
    return 0;
  std::vector<onnx::NodeProto> nodes;
  for (int n = 0; n < work.edit.nodes(); ++n) {
    if (auto before = inFront.find(n); before != inFront.end())
      nodes.push_back(std::move(before->second));
    nodes.push_back(std::move(work.edit.node(n)));
  }
  work.edit.setNodes(std::move(nodes));
  return joined;
}

/// A product of two matrices, of which one is turned for it alone.
bool joinTurned(Work &work, onnx::NodeProto &node) {
  bool isGemm = isStandard(node, "Gemm");
  if (work.opset < 11 || (!isGemm && !isStandard(node, "MatMul")) || !isFloat32(work, node.output(0)))
    return false;
  auto a = work.dims(node.input(0)), b = work.dims(node.input(1));
  if (!a || !b || a->size() != 2 || b->size() != 2)
    return false;
  bool isJoined = false;
  for (auto [input, flag] : {std::pair<int, StringRef>(0, "transA"), {1, "transB"}}) {
    const onnx::NodeProto *turn = work.makerOf(node.input(input), "Transpose");
    if (!turn || !work.hasOneReader(node.input(input)))
      continue;
    int64_t turned = integerOf(node, flag, 0);
    node.set_op_type("Gemm");
    node.set_input(input, turn->input(0));
    quantize::removeAttribute(node, flag);
    quantize::setInteger(node, flag, turned ? 0 : 1);
    isJoined = true;
  }
  return isJoined;
}
} // namespace

int64_t joinProjections(Work &work) {
  int64_t joined = 0;
  for (onnx::NodeProto &node : *work.edit.graph.mutable_node())
    joined += joinTurned(work, node);
  work.settle();
  return joined + joinRows(work);
}

} // namespace sinter::simplify
