// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// File names in a configuration are names within its folder: it may be a stranger's.
#include "driver/decoder_folder.h"

#include "driver/config_file.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {
namespace {

std::optional<std::string> fileIn(StringRef folder, StringRef name) {
  if (name.empty() || name.contains('/') || name.contains('\\'))
    return std::nullopt;
  SmallString<128> path(folder);
  sys::path::append(path, name);
  return sys::fs::is_regular_file(path) ? std::optional(path.str().str()) : std::nullopt;
}

void addPositions(const json::Object &object, StringRef key, DecoderConfig &config) {
  if (std::optional<int64_t> number = object.getInteger(key); number && *number > 0)
    config.positions = config.positions ? std::min(*config.positions, *number) : *number;
}

/// As it stands, or the hidden size shared out.
void addHeadSize(const json::Object &object, DecoderConfig &config) {
  constexpr int64_t most = 1 << 16;
  auto number = [&](StringRef key) {
    std::optional<int64_t> value = object.getInteger(key);
    return value && *value > 0 && *value <= most * most ? value : std::nullopt;
  };
  std::optional<int64_t> size = number("head_size"), hidden = number("hidden_size"),
                         heads = number("num_attention_heads");
  if (!size)
    size = number("head_dim");
  if (!size && hidden && heads && *hidden % *heads == 0)
    size = *hidden / *heads;
  if (size && *size <= most && !config.headSize)
    config.headSize = size;
}

/// Frames before the encoder's convolutions halve them.
void addSound(const json::Object &object, DecoderConfig &config) {
  constexpr int64_t most = 1 << 20;
  if (std::optional<int64_t> number = object.getInteger("num_mel_bins"); number && *number > 0 && *number <= most)
    config.features = *number;
  if (std::optional<int64_t> number = object.getInteger("max_source_positions");
      number && *number > 0 && *number <= most)
    config.frames = 2 * *number;
}

/// One number for rows and columns, or a list of both.
void addPictures(const json::Object &object, DecoderConfig &config) {
  auto known = [](std::optional<int64_t> size) {
    constexpr int64_t most = 1 << 16;
    return size && *size > 0 && *size <= most ? size : std::nullopt;
  };
  std::optional<int64_t> rows = known(object.getInteger("image_size")), columns = rows;
  if (const json::Array *sizes = object.getArray("image_size"); sizes && sizes->size() == 2) {
    rows = known((*sizes)[0].getAsInteger());
    columns = known((*sizes)[1].getAsInteger());
  }
  if (rows && columns)
    std::tie(config.imageSize, config.imageColumns) = std::pair(rows, columns);
  if (std::optional<int64_t> channels = known(object.getInteger("num_channels")))
    config.channels = channels;
  if (std::optional<int64_t> merged = known(object.getInteger("spatial_merge_size")))
    config.mergedPatches = *merged;
}

/// Of a feature extractor that leaves samples as they are, or nearly so.
void addSamples(const json::Object &object, DecoderConfig &config) {
  constexpr int64_t most = 1 << 20;
  std::optional<int64_t> rate = object.getInteger("sampling_rate");
  if (rate && *rate > 0 && *rate <= most && object.getInteger("feature_size").value_or(1) == 1)
    config.samples = SampledSound{*rate, object.getBoolean("do_normalize").value_or(false)};
}

void addPlaces(const json::Object &object, DecoderConfig &config) {
  auto add = [&](std::optional<int64_t> &token, ArrayRef<StringRef> keys) {
    for (StringRef key : keys)
      if (std::vector<int64_t> ids = idsOf(object.get(key)); !token && ids.size() == 1)
        token = ids.front();
  };
  add(config.imageToken, {"image_token_id", "image_token_index"});
  add(config.soundToken, {"audio_token_id", "audio_token_index"});
}

/// "decoder_with_past_model_int8.onnx" without the part of the name that says which calls it is for.
std::string withoutCall(StringRef name) {
  std::string made = name.str();
  for (StringRef part : {"_with_past", "_merged"})
    if (size_t at = StringRef(made).find(part); at != StringRef::npos)
      made.erase(at, part.size());
  return made;
}

/// The file that ONNX Runtime GenAI's configuration names for a part of the model, if it is there.
std::optional<std::string> genaiFileIn(StringRef folder, StringRef part) {
  if (std::optional<json::Value> config = readConfig(folder, "genai_config.json"))
    if (const json::Object *object = config->getAsObject())
      if (const json::Object *model = object->getObject("model"))
        if (const json::Object *found = model->getObject(part))
          return fileIn(folder, found->getString("filename").value_or(""));
  return std::nullopt;
}

StringRef folderOf(StringRef file) {
  StringRef folder = sys::path::parent_path(file);
  return folder.empty() ? "." : folder;
}
} // namespace

std::vector<int64_t> idsOf(const json::Value *value) {
  std::vector<int64_t> ids;
  auto add = [&](const json::Value &one) {
    if (std::optional<int64_t> id = one.getAsInteger(); id && *id >= 0 && *id < INT32_MAX)
      ids.push_back(*id);
  };
  if (!value)
    return ids;
  if (const json::Array *list = value->getAsArray())
    for (const json::Value &each : *list)
      add(each);
  else
    add(*value);
  return ids;
}

std::optional<std::string> encoderFileBeside(StringRef decoder) {
  StringRef folder = folderOf(decoder);
  if (std::optional<std::string> file = genaiFileIn(folder, "encoder"))
    return file;
  std::string own = withoutCall(sys::path::filename(decoder));
  if (size_t at = StringRef(own).find("decoder"); at != StringRef::npos)
    own.replace(at, StringRef("decoder").size(), "encoder");
  for (StringRef name : {StringRef(own), StringRef("encoder_model.onnx"), StringRef("encoder.onnx")})
    if (name != sys::path::filename(decoder))
      if (std::optional<std::string> file = fileIn(folder, name))
        return file;
  return std::nullopt;
}

std::string firstCallFileOf(StringRef decoder) {
  if (std::optional<std::string> file = fileIn(folderOf(decoder), withoutCall(sys::path::filename(decoder)));
      file && sys::path::filename(decoder).contains("_with_past"))
    return *file;
  return decoder.str();
}

std::optional<std::string> partFileBeside(StringRef decoder, ModelPart part) {
  struct Names {
    StringRef genai;
    std::vector<StringRef> files;
  };
  const Names names = part == ModelPart::Embedding ? Names{"embedding", {"embed_tokens", "embedding", "embeddings"}}
                      : part == ModelPart::Vision  ? Names{"vision", {"vision_encoder", "vision_model", "vision"}}
                                                   : Names{"speech", {"audio_encoder", "speech_encoder", "speech"}};
  StringRef folder = folderOf(decoder), own = sys::path::stem(decoder);
  if (std::optional<std::string> file = genaiFileIn(folder, names.genai))
    return file;
  for (StringRef begin : {"decoder_model_merged", "decoder_with_past_model", "decoder_model", "decoder", "model"})
    if (own.consume_front(begin))
      break;
  for (const std::string &end : {own.str(), std::string()}) // "_q4", as the decoder is
    for (StringRef name : names.files)
      if (std::optional<std::string> file = fileIn(folder, (name + end + ".onnx").str());
          file && sys::path::filename(*file) != sys::path::filename(decoder))
        return file;
  return std::nullopt;
}

static constexpr StringRef decoderFiles[] = {"decoder_model_merged.onnx", "decoder_with_past_model.onnx", "model.onnx",
                                             "decoder.onnx"};

/// In their order.
static std::vector<std::string> modelFilesIn(StringRef folder) {
  std::vector<std::string> files;
  std::error_code code;
  for (sys::fs::directory_iterator each(folder, code), end; !code && each != end; each.increment(code))
    if (sys::path::extension(each->path()) == ".onnx" && sys::fs::is_regular_file(each->path()))
      files.push_back(each->path());
  llvm::sort(files);
  return files;
}

std::optional<std::string> decoderFileIn(StringRef folder) {
  if (std::optional<std::string> file = genaiFileIn(folder, "decoder"))
    return file;
  SmallString<128> inner(folder);
  sys::path::append(inner, "onnx"); // as transformers.js keeps them
  for (StringRef place : {folder, inner.str()})
    for (StringRef name : decoderFiles)
      if (std::optional<std::string> file = fileIn(place, name))
        return file;
  for (StringRef place : {folder, inner.str()})
    if (std::vector<std::string> files = modelFilesIn(place); files.size() == 1)
      return files.front();
  return std::nullopt;
}

std::string filesToName(StringRef folder) {
  constexpr size_t few = 4;
  std::vector<std::string> files = modelFilesIn(folder);
  if (files.empty())
    return "it has none of " + join(ArrayRef(decoderFiles), ", ") + ", nor another .onnx file";
  size_t count = std::min(files.size(), few);
  return "name one of its files: " + join(ArrayRef(files).take_front(count), ", ") +
         (files.size() > few ? " or " + std::to_string(files.size() - few) + " more" : "");
}

std::optional<std::string> modelFileAt(StringRef path) {
  if (sys::fs::is_directory(path))
    return decoderFileIn(path);
  return sys::fs::exists(path) ? std::optional(path.str()) : std::nullopt;
}

DecoderConfig decoderConfigBeside(StringRef model) {
  DecoderConfig config;
  std::string folder = configFolderOf(model);
  if (std::optional<json::Value> genai = readConfig(folder, "genai_config.json"))
    if (const json::Object *object = genai->getAsObject())
      if (const json::Object *inner = object->getObject("model")) {
        addPositions(*inner, "context_length", config);
        config.ends = idsOf(inner->get("eos_token_id"));
        addPlaces(*inner, config);
        if (const json::Object *decoder = inner->getObject("decoder"))
          addHeadSize(*decoder, config);
      }
  for (StringRef name : {"generation_config.json", "config.json"})
    if (std::optional<json::Value> file = readConfig(folder, name))
      if (const json::Object *object = file->getAsObject()) {
        const json::Object *text = object->getObject("text_config");
        for (StringRef part : {"vision_config", "encoder"})
          if (const json::Object *vision = object->getObject(part))
            addPictures(*vision, config);
        for (const json::Object *each : {object, text}) {
          if (!each)
            continue;
          for (StringRef key : {"max_position_embeddings", "n_positions", "n_ctx", "max_target_positions"})
            addPositions(*each, key, config);
          addHeadSize(*each, config);
          addSound(*each, config);
          addPlaces(*each, config);
          if (config.ends.empty())
            config.ends = idsOf(each->get("eos_token_id"));
        }
      }
  constexpr StringRef ofSounds = "preprocessor_config.json";
  for (StringRef name : {ofSounds, StringRef("processor_config.json")}) {
    std::optional<json::Value> file = readConfig(folder, name);
    const json::Object *object = file ? file->getAsObject() : nullptr;
    if (!object)
      continue;
    for (const json::Object *each : {object, object->getObject("feature_extractor")})
      if (each && name == ofSounds)
        addSamples(*each, config);
    const json::Object *inner = object->getObject("image_processor");
    if (!config.pictures)
      config.pictures = pictureStepsOf(inner ? *inner : *object);
  }
  return config;
}

} // namespace sinter
