// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of one value by several constant matrices, such as queries, keys and values of attention, are one by the
// matrices side by side; a Split hands out the results. Only where that leaves fewer nodes.
#include "simplify/work.h"

#include <map>

using namespace llvm;

namespace sinter::simplify {
namespace {

using quantize::FloatTensor;

struct Product {
  int node;
  int sum; ///< the Add of a bias behind a MatMul; -1: none
  std::string bias, result;
};

/// A matrix whose columns are the result's, once `isTurned` its rows are.
bool isOwnMatrix(const Work &work, StringRef value) {
  const onnx::TensorProto *tensor = work.edit.constant(value);
  return tensor && tensor->dims_size() == 2 && work.element(value) == ElementType::Float &&
         !quantize::OutsideWeights::has(*tensor) && work.edit.readers(value).size() == 1;
}

bool isTurned(const onnx::NodeProto &product) { return integerOf(product, "transB", 0) != 0; }

int64_t columnsOf(const Work &work, const onnx::NodeProto &product) {
  return work.edit.constant(product.input(1))->dims(isTurned(product) ? 0 : 1);
}

bool isBias(const Work &work, StringRef value, int64_t columns) {
  const onnx::TensorProto *tensor = work.edit.constant(value);
  return tensor && tensor->dims_size() == 1 && tensor->dims(0) == columns &&
         work.element(value) == ElementType::Float && !quantize::OutsideWeights::has(*tensor);
}

std::optional<Product> productOf(const Work &work, int n) {
  const onnx::NodeProto &node = work.edit.node(n);
  bool isGemm = isStandard(node, "Gemm");
  if ((!isGemm && !isStandard(node, "MatMul")) || node.input_size() < 2 || !isOwnMatrix(work, node.input(1)) ||
      work.edit.constant(node.input(0)))
    return std::nullopt;
  int64_t columns = columnsOf(work, node);
  if (isGemm) {
    std::string bias = node.input_size() > 2 ? node.input(2) : "";
    if (!bias.empty() && !isBias(work, bias, columns))
      return std::nullopt;
    return Product{n, -1, bias, node.output(0)};
  }
  auto x = work.dims(node.input(0));
  if (!x || x->size() < 2)
    return std::nullopt;
  if (work.hasOneReader(node.output(0))) {
    int reader = work.edit.readers(node.output(0)).front().node;
    const onnx::NodeProto *sum = reader >= 0 ? &work.edit.node(reader) : nullptr;
    if (sum && isStandard(*sum, "Add"))
      for (int i : {0, 1})
        if (sum->input(1 - i) == node.output(0) && isBias(work, sum->input(i), columns))
          return Product{n, reader, sum->input(i), sum->output(0)};
  }
  return Product{n, -1, "", node.output(0)};
}

/// What has to be equal for products to be one.
std::string kindOf(const Work &work, const Product &product) {
  const onnx::NodeProto &node = work.edit.node(product.node);
  std::string kind = node.input(0) + '\n' + node.op_type() + (product.bias.empty() ? "" : " bias");
  for (StringRef flag : {"transA", "transB"})
    kind += ' ' + std::to_string(integerOf(node, flag, 0));
  for (StringRef factor : {"alpha", "beta"})
    kind += ' ' + std::to_string(quantize::floatOf(node, factor, 1));
  const onnx::TensorProto &matrix = *work.edit.constant(node.input(1));
  return kind + ' ' + std::to_string(matrix.dims(isTurned(node) ? 1 : 0));
}

FloatTensor sideBySide(ArrayRef<FloatTensor> parts, bool isTurned) {
  FloatTensor all = parts.front();
  size_t axis = isTurned ? 0 : all.dims.size() - 1;
  for (const FloatTensor &part : parts.drop_front())
    all.dims[axis] += part.dims[axis];
  all.values.clear();
  int64_t rows = isTurned || all.dims.size() == 1 ? 1 : all.dims[0];
  for (int64_t row = 0; row < rows; ++row)
    for (const FloatTensor &part : parts) {
      auto width = static_cast<int64_t>(part.values.size()) / rows;
      all.values.insert(all.values.end(), part.values.begin() + row * width, part.values.begin() + (row + 1) * width);
    }
  return all;
}

class ProductJoiner {
public:
  explicit ProductJoiner(Work &work) : work(work) {}

  int64_t run() {
    std::map<std::string, std::vector<Product>> ofKind;
    for (int n = 0; n < work.edit.nodes(); ++n)
      if (std::optional<Product> product = productOf(work, n))
        ofKind[kindOf(work, *product)].push_back(*product);
    int64_t joined = 0;
    for (const auto &[kind, products] : ofKind)
      joined += join(products);
    if (joined == 0)
      return 0;
    std::vector<onnx::NodeProto> nodes;
    for (int n = 0; n < work.edit.nodes(); ++n) {
      if (auto made = inPlaceOf.find(n); made != inPlaceOf.end())
        llvm::append_range(nodes, made->second);
      if (gone.count(n) == 0)
        nodes.push_back(std::move(work.edit.node(n)));
    }
    work.edit.setNodes(std::move(nodes));
    return joined;
  }

private:
  int64_t join(ArrayRef<Product> products) {
    bool hasSums = products.front().sum >= 0, hasBias = !products.front().bias.empty();
    size_t each = hasSums ? 2 : 1;
    if (products.size() * each <= each + 1)
      return 0;
    const onnx::NodeProto &first = work.edit.node(products.front().node);
    std::vector<FloatTensor> matrices, biases;
    std::vector<int64_t> widths;
    std::vector<std::string> results;
    for (const Product &product : products) {
      auto matrix = work.edit.floats(work.edit.node(product.node).input(1));
      auto bias = hasBias ? work.edit.floats(product.bias) : std::nullopt;
      if (!matrix || (hasBias && !bias))
        return 0;
      matrices.push_back(std::move(*matrix));
      if (bias)
        biases.push_back(std::move(*bias));
      widths.push_back(columnsOf(work, work.edit.node(product.node)));
      results.push_back(product.result);
    }
    auto add = [&](StringRef name, const FloatTensor &tensor) {
      return work.edit.addConstant(quantize::floatTensor((name + "_joined").str(), tensor.dims, tensor.values));
    };
    std::string all = work.edit.freshName(results.front() + "_joined");
    onnx::NodeProto product = first;
    product.set_input(1, add(first.input(1), sideBySide(matrices, isTurned(first))));
    std::string bias = hasBias ? add(products.front().bias, sideBySide(biases, false)) : "";
    std::vector<onnx::NodeProto> made;
    if (hasSums) {
      std::string sum = work.edit.freshName(results.front() + "_sum");
      product.set_output(0, all);
      made = {product, quantize::makeNode("Add", {all, bias}, {sum}, sum)};
      all = sum;
    } else {
      if (hasBias)
        product.set_input(2, bias);
      product.set_output(0, all);
      made = {product};
    }
    onnx::NodeProto split = quantize::makeNode("Split", {all}, results, results.front() + "_split");
    quantize::setInteger(split, "axis", -1);
    constexpr int64_t takesSizes = 13;
    if (work.opset >= takesSizes)
      work.setIntegers(split, 1, widths);
    else
      setIntegerList(split, "split", widths);
    made.push_back(std::move(split));
    inPlaceOf[products.front().node] = std::move(made);
    for (const Product &each : products)
      for (int n : {each.node, each.sum})
        if (n >= 0)
          gone.insert(n);
    return static_cast<int64_t>(products.size()) - 1;
  }

  Work &work;
  std::map<int, std::vector<onnx::NodeProto>> inPlaceOf;
  std::set<int> gone;
};
} // namespace

int64_t joinProducts(Work &work) { return work.opset < 11 ? 0 : ProductJoiner(work).run(); }

} // namespace sinter::simplify
