// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/config_file.h"

#include "support/bounded_json.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {

std::string configFolderOf(StringRef model) {
  StringRef folder = sys::path::parent_path(model);
  if (sys::path::filename(folder) == "onnx") // as transformers.js keeps them
    folder = sys::path::parent_path(folder);
  return folder.empty() ? "." : folder.str();
}

std::optional<json::Value> readConfig(StringRef folder, StringRef name) {
  constexpr uint64_t mostBytes = 4 << 20;
  SmallString<128> path(folder);
  sys::path::append(path, name);
  uint64_t bytes;
  if (!sys::fs::is_regular_file(path) || sys::fs::file_size(path, bytes) || bytes > mostBytes)
    return std::nullopt;
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return std::nullopt;
  Expected<json::Value> value = parseBoundedJson((*file)->getBuffer());
  if (!value) {
    consumeError(value.takeError());
    return std::nullopt;
  }
  return std::move(*value);
}

std::vector<std::string> brokenConfigsBeside(StringRef model) {
  std::string folder = configFolderOf(model);
  std::vector<std::string> broken;
  for (StringRef name :
       {"genai_config.json", "generation_config.json", "config.json", "preprocessor_config.json",
        "processor_config.json", "tokenizer_config.json", "chat_template.json", "special_tokens_map.json"}) {
    SmallString<128> path(folder);
    sys::path::append(path, name);
    if (!sys::fs::exists(path))
      continue;
    if (std::optional<json::Value> value = readConfig(folder, name); !value || !value->getAsObject())
      broken.push_back(path.str().str());
  }
  return broken;
}

} // namespace sinter
