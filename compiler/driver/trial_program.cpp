// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between quantization, which thinks in floats, and programs, which run as children.
#include "driver/trial_program.h"

#include "driver/staged_model.h"

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
  TrialProgram(ArrayRef<Sample> samples, int threads, std::function<void()> onRun)
      : samples(samples), onRun(std::move(onRun)) {
    options.threads = threads;
  }

  Error setExtra(llvm::function_ref<void(quantize::TakeTensor)> forEach) override {
    constexpr StringRef name = "extra";
    options.lastInputs = {built.staging->file(name), 0};
    return built.staging->write(name, [&](raw_ostream &out) {
      forEach([&](const quantize::FloatTensor &tensor) {
        writeArray(out, hostArrayOf(tensor));
        ++options.lastInputs.count;
      });
    });
  }

  Expected<std::vector<quantize::FloatTensor>> run(size_t sample) override {
    Expected<RunResult> result = built.program->run(samples[sample], options);
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
  RunOptions options;
};
} // namespace

Expected<std::unique_ptr<quantize::Program>> makeTrialProgram(onnx::ModelProto model, StringRef path,
                                                              const CompileJob &base, StringRef cxx,
                                                              ArrayRef<Sample> samples, std::function<void()> onRun) {
  auto program = std::make_unique<TrialProgram>(samples, base.codegen.threads, std::move(onRun));
  Expected<std::unique_ptr<Staging>> folder = Staging::temporary();
  if (!folder)
    return folder.takeError();
  program->built.job = base;
  if (Error error = stageModel(std::move(model), path, **folder, program->built.job))
    return std::move(error);
  if (ExitStatus status = buildProgram(cxx, /*optimization=*/"2", /*choice=*/{}, program->built); status != ExitOk)
    return make_error<BuildFailed>(status);
  return program;
}

} // namespace sinter
