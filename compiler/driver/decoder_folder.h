// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What exporters put beside a decoder: which file of a folder is the one that goes on from caches, and what its
// configuration says of it (genai_config.json, config.json, generation_config.json).
#pragma once

#include "driver/picture_steps.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace sinter {

/// How an encoder takes a sound that it takes by its samples.
struct SampledSound {
  int64_t rate = 0;          ///< of samples in a second
  bool isNormalized = false; ///< to a mean of 0 and a variance of 1
};

struct DecoderConfig {
  std::optional<int64_t> positions; ///< that the model was made for
  std::optional<int64_t> headSize;  ///< elements of a head's row in a cache
  std::vector<int64_t> ends;        ///< tokens that end a sequence
  std::optional<int64_t> features;  ///< of each frame that an encoder of sound takes
  std::optional<int64_t> frames;    ///< that it takes
  std::optional<int64_t> imageSize; ///< rows of pictures that the model sees
  std::optional<int64_t> imageColumns;
  std::optional<int64_t> channels; ///< of these pictures
  std::optional<SampledSound> samples;
  std::optional<PictureSteps> pictures;          ///< how the encoder's processor prepares them
  int64_t mergedPatches = 1;                     ///< of pictures: along rows and columns so many patches become one
  std::optional<int64_t> imageToken, soundToken; ///< which stand in a prompt for rows of a picture or a sound

  /// Of pictures [batch, channels, rows, columns].
  std::optional<int64_t> sizeOfPictures(size_t axis) const {
    return axis == 1 ? channels : axis == 2 ? imageSize : axis == 3 ? imageColumns : std::nullopt;
  }
};

/// The tokens of a configuration's value: a number, or a list of them. What cannot be one is none.
std::vector<int64_t> idsOf(const llvm::json::Value *value);

/// The decoder's file in a folder, by its name or as the only model; nothing if there is none.
std::optional<std::string> decoderFileIn(llvm::StringRef folder);

/// A hint for a folder in which no decoder's file was found.
std::string filesToName(llvm::StringRef folder);

/// A file as it is, of a folder the decoder's; nothing if there is none.
std::optional<std::string> modelFileAt(llvm::StringRef path);

/// Of a decoder behind an encoder: the encoder's file beside it; nothing if there is none.
std::optional<std::string> encoderFileBeside(llvm::StringRef decoder);

/// And the file with the graph of its first call: itself where it is merged of both.
std::string firstCallFileOf(llvm::StringRef decoder);

/// A part of a model that sees or hears, beside its decoder: what looks up rows of embeddings for tokens, and what
/// makes such rows of pictures and sound; nothing if there is none.
enum class ModelPart { Embedding, Vision, Audio };
std::optional<std::string> partFileBeside(llvm::StringRef decoder, ModelPart part);

/// Of the configuration files beside `model`; files that are missing or unreadable say nothing.
DecoderConfig decoderConfigBeside(llvm::StringRef model);

} // namespace sinter
