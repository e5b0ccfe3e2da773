// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `sinter generate` is given besides text: numbers for a model's encoder, or for its front ends, which make rows
// of embeddings of pictures and sound. They are held against what the compiled model takes, and lie in one file that
// its program reads.
#pragma once

#include "driver/compile_model.h"
#include "driver/decoder_folder.h"
#include "driver/host_array.h"

namespace sinter {

class GivenInputs {
public:
  /// NAME=FILE, .npy or .pb, or a picture, prepared as the configuration beside the model says; several pictures of one
  /// input lie behind each other. False after a message.
  bool read(llvm::ArrayRef<std::string> named, const DecoderConfig &config);
  /// A WAV file, as an encoder of samples takes it. False after a message.
  bool readSound(const std::string &path, const SampledSound &as);

  /// Whether a file is a sound that the program of an encoder of frames takes. False after a message.
  static bool isHeard(const std::string &path);

  bool isEmpty() const { return arrays.empty(); }
  /// By the inputs' names.
  llvm::StringMap<std::vector<int64_t>> sizes() const;
  /// How many samples the encoder is given, where they are that.
  std::optional<int64_t> samples() const;

  /// Writes the file, and what says how it is laid out; macros that the program is compiled with. Nothing after a
  /// message. `config`: beside the model.
  std::optional<std::vector<std::string>> settle(const CompiledModel &model, const DecoderConfig &config,
                                                 const Staging &staging) const;
  /// Of the program's command line.
  std::vector<std::string> words(const Staging &staging) const;

  bool isOfText = false; ///< an encoder is given tokens

private:
  bool readPicture(llvm::StringRef name, const std::string &path, const std::optional<PictureSteps> &steps);
  std::optional<std::vector<std::string>> settleEncoder(const SessionPlan &plan, const Staging &staging) const;
  const HostArray *find(const InterfaceTensor &input) const;
  std::vector<HostArray> arrays; ///< a sound has no name
};

} // namespace sinter
