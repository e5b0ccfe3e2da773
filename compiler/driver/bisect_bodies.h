// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bisection of what a node does within: the branch that an If takes, the first turn of a Loop or a Scan whose body
// differs, the function of the model that it calls. A body is a model of its own, to which what it reads around it is
// given.
#pragma once

#include "driver/recorded_graph.h"
#include "quantize/model_file.h"

namespace sinter {

class BodyBisection {
public:
  /// `source`: where the weights lie that are no part of a message.
  BodyBisection(const quantize::Model &source, const PartBuild &how) : source(source), how(how) {}

  std::function<void(size_t nodes, bool differs)> onTrial;

  /// Puts a smaller part in place of `part`, whose last node has bodies or calls a function, and `around` in place of
  /// what it was found in. False: there is none. Says where it is: "turn 3 of Loop 'decode'".
  bool lookInside(DifferingPart &part, RecordedGraph &around, std::string &where);

private:
  struct Body;
  std::optional<Body> bodyOf(const onnx::NodeProto &node, const RecordedGraph &around) const;
  std::optional<Body> functionOf(const onnx::NodeProto &node, const RecordedGraph &around) const;
  bool lookInside(Body &body, llvm::ArrayRef<HostArray> own, DifferingPart &part, RecordedGraph &around);

  const quantize::Model &source;
  const PartBuild &how;
};

} // namespace sinter
