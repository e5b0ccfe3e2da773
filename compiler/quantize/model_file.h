// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A model as protobuf messages, to be changed and written again. The importer has looked at every byte before; external
// data becomes part of the message, or the larger of it stays where it is. Next: graph_edit.h, and weights_file.h for
// the way back.
#pragma once

#include "frontend/import.h"
#include "quantize/outside_weights.h"

#include "ir/element_type.h"
#include "onnx-ml.pb.h"
#include <memory>
#include <optional>

namespace sinter::quantize {

/// An input that the caller gives.
struct ModelInput {
  std::string name;
  ElementType type = ElementType::Undefined;
  struct Dim {
    std::string symbol; ///< empty: it has one size
    int64_t least, most;
  };
  std::vector<Dim> dims;
};

struct Model {
  onnx::ModelProto proto;
  bool hadExternalData = false;            ///< in files beside it
  std::vector<std::string> externalFiles;  ///< their paths
  std::shared_ptr<OutsideWeights> outside; ///< what of it is no part of the message
  std::vector<ModelInput> inputs;
};

/// Reads a model. None after a report to `diagnostics`. Problems of codes that are `tolerated` are none of the
/// message's: without others the model comes without inputs. Initializers of `leastOutside` bytes and more that lie in
/// other files stay there.
std::optional<Model> readModel(llvm::StringRef path, ImportOptions options, Diagnostics &diagnostics,
                               llvm::ArrayRef<Code> tolerated = {}, uint64_t leastOutside = UINT64_MAX);

/// The model's bytes; none (and a report) where protobuf's 2 GiB are not enough for what is part of the message.
std::optional<std::string> bytesOf(const onnx::ModelProto &model, Diagnostics &diagnostics);

/// The opset of the standard domain.
int64_t opsetOf(const onnx::ModelProto &model);

/// Calls `visit` with each graph of the model, outermost first: the main one, and those in attributes.
void forEachGraph(onnx::GraphProto &graph, llvm::function_ref<void(onnx::GraphProto &)> visit);

} // namespace sinter::quantize
