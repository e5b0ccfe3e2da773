// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What conversion knows whole. Not folded: random numbers and what follows from them, weights behind
// DequantizeLinear (what makes a quantized model one), and what would make the file larger: a result may be as large as
// the constants that it is made of and that nothing else reads, or a little beside all weights.
#include "simplify/work.h"

using namespace llvm;

namespace sinter::simplify {
namespace {

uint64_t bytesOfTensor(const onnx::TensorProto &tensor) {
  auto type = static_cast<ElementType>(tensor.data_type());
  uint64_t count = 1;
  for (int64_t dim : tensor.dims())
    count *= static_cast<uint64_t>(dim);
  return (count * (type == ElementType::Bool ? 8 : bitWidth(type)) + 7) / 8;
}

/// Types whose bytes the interpreter holds as raw_data does.
bool isPlain(ElementType type) {
  return type == ElementType::Bool ||
         (type != ElementType::Undefined && bitWidth(type) >= 8 && !isComplex(type) && type != ElementType::Float8E8M0);
}

std::optional<onnx::TensorProto> tensorOf(const ValueFact &fact) {
  onnx::TensorProto tensor;
  tensor.set_data_type(static_cast<int>(fact.element));
  if (fact.contents && fact.element == ElementType::String) {
    for (const std::string &text : fact.contents->strings())
      tensor.add_string_data(text);
  } else if (fact.contents && isPlain(fact.element)) {
    tensor.set_raw_data(fact.contents->bytes(), fact.contents->sizeInBytes());
  } else if (fact.elements && llvm::all_of(*fact.elements, [](const SizeFact &size) { return size.number; })) {
    std::string bytes;
    for (const SizeFact &size : *fact.elements) {
      auto narrow = static_cast<int32_t>(*size.number);
      bool isNarrow = fact.element == ElementType::Int32;
      bytes.append(isNarrow ? reinterpret_cast<const char *>(&narrow) : reinterpret_cast<const char *>(&*size.number),
                   isNarrow ? sizeof(int32_t) : sizeof(int64_t));
    }
    tensor.set_raw_data(bytes);
  } else {
    return std::nullopt;
  }
  for (const SizeFact &dim : fact.dims) {
    if (!dim.number)
      return std::nullopt;
    tensor.add_dims(*dim.number);
  }
  return tensor;
}

/// Bytes of what is known of a value, without making them.
uint64_t bytesOfFact(const ValueFact &fact) {
  if (!fact.contents)
    return 0;
  if (fact.element != ElementType::String)
    return fact.contents->sizeInBytes();
  uint64_t bytes = 0;
  for (const std::string &text : fact.contents->strings())
    bytes += text.size();
  return bytes;
}

class ConstantFolder {
public:
  explicit ConstantFolder(Work &work) : work(work) {
    uint64_t weights = 0;
    for (const onnx::TensorProto &tensor : work.edit.graph.initializer())
      weights += bytesOfTensor(tensor);
    constexpr uint64_t least = 1 << 16, share = 256;
    foldBytes = work.options.foldBytes.value_or(std::max(least, weights / share));
  }

  int64_t run() {
    int64_t folded = 0;
    for (onnx::NodeProto &node : *work.edit.graph.mutable_node())
      folded += visit(node);
    for (onnx::TensorProto &tensor : made)
      *work.edit.graph.add_initializer() = std::move(tensor);
    return folded;
  }

private:
  int64_t visit(onnx::NodeProto &node) {
    bool asksShape = isStandard(node, "Shape") || isStandard(node, "Size");
    bool taints = isRandom(node) || isStandard(node, "DequantizeLinear");
    uint64_t spared = 0;
    forEachRead(node, [&](const std::string &read) {
      taints |= !asksShape && tainted.contains(read);
      if (work.hasOneReader(read))
        spared += madeBytes.count(read) ? madeBytes.lookup(read) : constantBytes(read);
    });
    int64_t folded = 0;
    for (std::string &output : *node.mutable_output()) {
      if (output.empty())
        continue;
      if (taints) {
        tainted.insert(output);
        continue;
      }
      const ValueFact *fact = work.facts.find(output);
      if (!fact || work.isOutput(output) || bytesOfFact(*fact) > std::max(spared, foldBytes))
        continue;
      std::optional<onnx::TensorProto> tensor = tensorOf(*fact);
      if (!tensor)
        continue;
      tensor->set_name(output);
      madeBytes[output] = bytesOfFact(*fact);
      made.push_back(std::move(*tensor));
      output = work.edit.freshName(output + "_folded");
      ++folded;
    }
    return folded;
  }

  uint64_t constantBytes(StringRef value) const {
    const onnx::TensorProto *tensor = work.edit.constant(value);
    return tensor ? bytesOfTensor(*tensor) : 0;
  }

  Work &work;
  uint64_t foldBytes;
  std::vector<onnx::TensorProto> made;
  StringMap<uint64_t> madeBytes;
  llvm::StringSet<> tainted;
};
} // namespace

int64_t foldConstants(Work &work) { return ConstantFolder(work).run(); }

} // namespace sinter::simplify
