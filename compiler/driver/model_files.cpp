// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/model_files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {
namespace {
constexpr uint64_t mostModelBytes = uint64_t(1) << 31; // where protobuf ends
constexpr StringRef weightsExtension = ".data";
} // namespace

std::optional<ModelFiles> ModelFiles::of(onnx::ModelProto model, const quantize::Model &from, std::string path,
                                         Diagnostics &diagnostics) {
  ModelFiles made;
  made.modelPath = std::move(path);
  if (from.hadExternalData || model.ByteSizeLong() >= mostModelBytes) {
    made.weightsPath = made.modelPath + weightsExtension.str();
    made.weights = quantize::WeightsFile::of(model, sys::path::filename(made.weightsPath), from.outside, diagnostics);
    if (!made.weights)
      return std::nullopt;
  }
  std::optional<std::string> bytes = quantize::bytesOf(model, diagnostics);
  if (!bytes)
    return std::nullopt;
  made.bytes = std::move(*bytes);
  return made;
}

std::vector<OutputFile> ModelFiles::files() const {
  std::vector<OutputFile> all;
  if (weights && weights->bytes() > 0)
    all.push_back({weightsPath, "", weights->bytes(), [this](raw_ostream &out) { weights->write(out); }});
  all.push_back({modelPath, bytes, bytes.size()});
  return all;
}

bool writesOverModel(StringRef output, StringRef path, const quantize::Model &model, Diagnostics &diagnostics) {
  std::string weights = output.str() + weightsExtension.str();
  std::vector<std::string> inputs = model.externalFiles;
  inputs.push_back(path.str());
  return any_of(inputs, [&](const std::string &input) {
    return writesOverInput(output, input, diagnostics) ||
           (model.hadExternalData && writesOverInput(weights, input, diagnostics));
  });
}

} // namespace sinter
