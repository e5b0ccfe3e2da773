// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/random_nodes.h"

#include "driver/standard_model.h"
#include "simplify/work.h"

#include "llvm/ADT/STLExtras.h"

namespace sinter {
namespace {

/// A Dropout whose training mode is a constant false passes on what it is given.
bool isSurelyIdle(const onnx::NodeProto &node, const onnx::GraphProto &graph) {
  if (node.op_type() != "Dropout")
    return false;
  return llvm::any_of(graph.initializer(), [&](const onnx::TensorProto &tensor) {
    if (tensor.name() != node.input(2))
      return false;
    return tensor.has_raw_data() ? tensor.raw_data() == std::string(1, '\0')
                                 : tensor.int32_data_size() == 1 && tensor.int32_data(0) == 0;
  });
}

} // namespace

std::vector<RandomNode> randomNodesOf(const CompileJob &job) {
  Diagnostics unheard;
  std::vector<RandomNode> found;
  std::optional<quantize::Model> model = readStandardModel(job.import, job.model, unheard);
  if (!model)
    return found;
  quantize::forEachGraph(*model->proto.mutable_graph(), [&](onnx::GraphProto &graph) {
    for (const onnx::NodeProto &node : graph.node())
      if (simplify::drawsRandomNumbers(node) && node.output_size() > 0 && !isSurelyIdle(node, graph))
        found.push_back({node.name().empty() ? node.output(0) : node.name(), node.op_type(), node.output(0)});
  });
  return found;
}

} // namespace sinter
