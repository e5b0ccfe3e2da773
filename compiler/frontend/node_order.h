// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which the nodes of a graph can be computed. ONNX asks for graphs whose nodes are in topological order;
// onnxruntime does not, so that models exist whose nodes are in any order.
#pragma once

#include "onnx-ml.pb.h"
#include "llvm/ADT/SmallVector.h"

namespace sinter {

/// The nodes, each behind those whose results it or a subgraph of it reads; where several could be next, the earliest
/// of the file is. Nodes of a cycle, and what reads them, stand at the end as in the file.
/// Linear in nodes and names where the order is right already (O(n log n) otherwise), once for each level of subgraphs.
llvm::SmallVector<const onnx::NodeProto *>
inTopologicalOrder(const google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes);

} // namespace sinter
