// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between quantization, which thinks in floats, and programs, which run as children.
#include "driver/trial_program.h"

#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace llvm;

namespace sinter {
char BuildFailed::ID = 0;
void BuildFailed::log(raw_ostream &out) const { out << "the program could not be built"; }

namespace {
HostArray hostArrayOf(const quantize::FloatTensor &tensor) {
  HostArray array;
  array.type = ElementType::Float;
  array.dims = tensor.dims;
  array.bytes.assign(reinterpret_cast<const char *>(tensor.values.data()), tensor.values.size() * sizeof(float));
  return array;
}

quantize::FloatTensor floatsOf(const HostArray &array) {
  quantize::FloatTensor tensor{array.dims, {}};
  if (array.type == ElementType::String)
    return tensor;
  tensor.values.resize(static_cast<size_t>(array.size() * numbersPerElement(array.type)));
  if (array.type == ElementType::Float)
    std::memcpy(tensor.values.data(), array.bytes.data(), array.bytes.size());
  else
    for (size_t i = 0; i < tensor.values.size(); ++i)
      tensor.values[i] = static_cast<float>(numberAt(array, static_cast<int64_t>(i)));
  return tensor;
}

class TrialProgram : public quantize::Program {
public:
  TrialProgram(ArrayRef<Sample> samples, std::function<void()> onRun) : samples(samples), onRun(std::move(onRun)) {}

  Expected<std::vector<quantize::FloatTensor>> run(size_t sample, ArrayRef<quantize::FloatTensor> extra) override {
    std::vector<HostArray> inputs = samples[sample];
    for (const quantize::FloatTensor &tensor : extra)
      inputs.push_back(hostArrayOf(tensor));
    Expected<RunResult> result = built.program->run(inputs);
    if (!result)
      return result.takeError();
    if (result->status != 0)
      return createStringError(inconvertibleErrorCode(), "the call ended with status " + Twine(result->status) + ": " +
                                                             statusText(result->status));
    onRun();
    std::vector<quantize::FloatTensor> outputs;
    for (const HostArray &output : result->outputs)
      outputs.push_back(floatsOf(output));
    return outputs;
  }

  BuiltProgram built;

private:
  ArrayRef<Sample> samples;
  std::function<void()> onRun;
};
} // namespace

Expected<std::unique_ptr<quantize::Program>> makeTrialProgram(const std::string &bytes, const CompileJob &base,
                                                              StringRef cxx, ArrayRef<Sample> samples,
                                                              std::function<void()> onRun) {
  auto program = std::make_unique<TrialProgram>(samples, std::move(onRun));
  Expected<std::unique_ptr<Staging>> folder = Staging::temporary();
  if (!folder)
    return folder.takeError();
  if (Error error = (*folder)->write("model.onnx", bytes))
    return std::move(error);
  program->built.job = base;
  program->built.job.model = (*folder)->file("model.onnx");
  if (ExitStatus status = buildProgram(cxx, /*optimization=*/"2", /*choice=*/{}, program->built); status != ExitOk)
    return make_error<BuildFailed>(status);
  return program;
}

} // namespace sinter
