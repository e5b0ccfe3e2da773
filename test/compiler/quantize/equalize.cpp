// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Equalization leaves the function as it is, and ranges alike.
#include "quantize/equalize.h"

#include "doctest/doctest.h"

using namespace sinter::quantize;

namespace {
/// y = second * relu(first * x + bias): weights [2, 1] and [1, 2], both transposed.
onnx::ModelProto chain(const char *between) {
  onnx::ModelProto model;
  onnx::GraphProto &graph = *model.mutable_graph();
  *graph.add_initializer() = floatTensor("first", {2, 1}, {100, 0.5f});
  *graph.add_initializer() = floatTensor("bias", {2}, {10, -0.25f});
  *graph.add_initializer() = floatTensor("second", {1, 2}, {1, 0.125f});
  graph.add_input()->set_name("x");
  *graph.add_node() = makeNode("Gemm", {"x", "first", "bias"}, {"a"}, "one");
  *graph.add_node() = makeNode(between, {"a"}, {"b"}, "between");
  *graph.add_node() = makeNode("Gemm", {"b", "second"}, {"y"}, "two");
  setInteger(*graph.mutable_node(0), "transB", 1);
  setInteger(*graph.mutable_node(2), "transB", 1);
  graph.add_output()->set_name("y");
  return model;
}
} // namespace

TEST_CASE("channels of two layers get the geometric mean of their ranges") {
  onnx::ModelProto model = chain("Relu");
  GraphEdit edit(model);
  std::vector<Layer> layers = layersOf(edit);
  REQUIRE(layers.size() == 2);
  CHECK(equalizeLayers(edit, layers));
  for (size_t c = 0; c < 2; ++c)
    CHECK(layers[0].weight->values[c] == doctest::Approx(layers[1].weight->values[c]));
  CHECK(layers[0].weight->values[0] * layers[1].weight->values[0] == doctest::Approx(100));
  CHECK(layers[0].weight->values[1] * layers[1].weight->values[1] == doctest::Approx(0.0625));
  CHECK(layers[0].bias[0] * layers[1].weight->values[0] == doctest::Approx(10));
  CHECK(layers[0].bias[1] * layers[1].weight->values[1] == doctest::Approx(-0.03125));
  CHECK(floatsOf(*edit.constant("first"))->values == layers[0].weight->values);
}

TEST_CASE("what is not positively homogeneous, or read twice, stands in the way") {
  onnx::ModelProto curved = chain("Sigmoid");
  GraphEdit curvedEdit(curved);
  std::vector<Layer> layers = layersOf(curvedEdit);
  CHECK(!equalizeLayers(curvedEdit, layers));

  onnx::ModelProto shared = chain("Relu");
  shared.mutable_graph()->add_output()->set_name("a");
  GraphEdit sharedEdit(shared);
  layers = layersOf(sharedEdit);
  CHECK(!equalizeLayers(sharedEdit, layers));
}
