// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trials: what biases lack takes one run a sample, however many layers there are, and weights are said only where they
// change.
#include "quantize/trial.h"

#include "doctest/doctest.h"

using namespace sinter::quantize;

namespace {
/// y = second * relu(first * x): weights [2, 1] and [1, 2], both transposed.
onnx::ModelProto twoLayers() {
  onnx::ModelProto model;
  onnx::OperatorSetIdProto *opset = model.add_opset_import();
  opset->set_version(13);
  onnx::GraphProto &graph = *model.mutable_graph();
  *graph.add_initializer() = floatTensor("first", {2, 1}, {1, 0.5f});
  *graph.add_initializer() = floatTensor("second", {1, 2}, {1, 0.25f});
  graph.add_input()->set_name("x");
  *graph.add_node() = makeNode("Gemm", {"x", "first"}, {"a"}, "one");
  *graph.add_node() = makeNode("Relu", {"a"}, {"b"}, "between");
  *graph.add_node() = makeNode("Gemm", {"b", "second"}, {"y"}, "two");
  setInteger(*graph.mutable_node(0), "transB", 1);
  setInteger(*graph.mutable_node(2), "transB", 1);
  graph.add_output()->set_name("y");
  return model;
}

struct Record {
  int runs = 0;
  std::vector<int> said = {0, 0, 0};            ///< how often each part of the extra inputs
  std::vector<std::vector<FloatTensor>> inputs; ///< the part last said
  std::vector<std::vector<FloatTensor>> means;  ///< of each run: its last part
};

/// In place of a compiled net: y is 1, and means lack 0.5 in sample 0 and 1.5 in sample 1 where they are made up for.
class Fake : public Program {
public:
  explicit Fake(Record &record) : record(record) { record.inputs.resize(3); }

  llvm::Error setExtra(size_t part, llvm::function_ref<void(TakeTensor)> forEach) override {
    ++record.said[part];
    record.inputs[part].clear();
    forEach([&](const FloatTensor &tensor) { record.inputs[part].push_back(tensor); });
    return llvm::Error::success();
  }
  llvm::Expected<std::vector<FloatTensor>> run(size_t sample) override {
    ++record.runs;
    record.means.push_back(record.inputs[2]);
    auto number = static_cast<float>(sample);
    float lacks = record.inputs[2].front().values.front() > 0 ? number + 0.5f : 0;
    return std::vector<FloatTensor>{
        {{1, 1}, {1}}, {{2}, {10 + number - lacks, 20 + number - lacks}}, {{1}, {30 + number - lacks}}};
  }

private:
  Record &record;
};
} // namespace

TEST_CASE("one run a sample finds what all layers lack") {
  onnx::ModelProto model = twoLayers();
  GraphEdit edit(model);
  std::vector<Layer> layers = layersOf(edit);
  REQUIRE(layers.size() == 2);
  Plan plan = makePlan(edit, layers, {true, true});
  Record record;
  auto make = [&](const onnx::ModelProto &) -> llvm::Expected<std::unique_ptr<Program>> {
    return std::make_unique<Fake>(record);
  };
  auto trial = llvm::cantFail(Trial::make(model, layers, plan, Grid(), /*samples=*/2, make));
  CHECK(record.runs == 2);
  CHECK(record.means.back().front().values == std::vector<float>{0});

  Setting setting = trial->floats();
  std::vector<std::vector<float>> missing = llvm::cantFail(trial->missingMeans(setting));
  CHECK(record.runs == 4);
  CHECK(missing == std::vector<std::vector<float>>{{1, 1}, {1}});
  // Each sample is given its own means of the float model.
  CHECK(record.means[2].front().values == std::vector<float>{1});
  CHECK(record.means[2][1].values == std::vector<float>{10, 20});
  CHECK(record.means[3][1].values == std::vector<float>{11, 21});
  CHECK(record.means[3][2].values == std::vector<float>{31});

  // Behind it nothing is made up for.
  CHECK(llvm::cantFail(trial->loss(setting)) == 0);
  CHECK(record.means.back().front().values == std::vector<float>{0});
  CHECK(record.said[0] == 1);
  CHECK(record.inputs[0].size() == 2);

  setting.weights[0] = std::make_shared<IntegerWeights>(
      quantizeWeights(*layers[0].weight, layers[0].axis, /*perChannel=*/true, WeightRange::Largest));
  CHECK(llvm::cantFail(trial->loss(setting)) == 0);
  CHECK(llvm::cantFail(trial->loss(setting)) == 0);
  CHECK(record.said[0] == 2);
}
