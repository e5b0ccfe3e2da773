// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/staged_model.h"

#include "driver/error_saying.h"
#include "driver/staging.h"
#include "driver/standard_model.h"
#include "quantize/weights_file.h"

#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {

Error stageModel(onnx::ModelProto model, StringRef path, const Staging &folder, CompileJob &job) {
  // Names in the model are looked for in its new folder first: none is that of a file of the user's, as the folder's
  // own name is made up. Weights are called by their whole path.
  std::string name = (sys::path::filename(folder.folder()) + ".onnx").str(), weightsName = name + ".data";
  quantize::WeightsFile weights = quantize::WeightsFile::ofMessage(model, folder.file(weightsName));
  if (weights.bytes() > 0)
    if (Error error = folder.write(weightsName, [&](raw_ostream &out) { weights.write(out); }))
      return error;
  std::string bytes;
  if (model.ByteSizeLong() >= (uint64_t(1) << 31) || !model.SerializeToString(&bytes))
    return errorSaying("the model has 2 GiB or more besides its initializers");
  if (Error error = folder.write(name, bytes))
    return error;
  job.import.externalRoots.push_back(folderOf(path));
  job.model = folder.file(name);
  return Error::success();
}

} // namespace sinter
