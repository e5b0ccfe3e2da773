// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/chat_folder.h"

#include "driver/config_file.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {
namespace {

constexpr StringRef specialNames[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                      "pad_token", "cls_token", "mask_token"};

/// A token is its text, or an object that says more about it.
std::optional<StringRef> textOfToken(const json::Value *token) {
  if (!token)
    return std::nullopt;
  if (const json::Object *object = token->getAsObject())
    return object->getString("content");
  return token->getAsString();
}

/// A template is a text, or one of several by name, of which the one for conversations is `default`.
std::optional<StringRef> templateOf(const json::Value *value) {
  if (!value)
    return std::nullopt;
  if (const json::Array *named = value->getAsArray()) {
    for (const json::Value &each : *named)
      if (const json::Object *one = each.getAsObject(); one && one->getString("name") == "default")
        return one->getString("template");
    return std::nullopt;
  }
  return value->getAsString();
}

class ChatFolderReader {
public:
  explicit ChatFolderReader(StringRef model) : folder(configFolderOf(model)) {}

  ChatFolder read() {
    readJinja(); // newer exporters put it there, and leave an older one where it was
    for (StringRef name : {"tokenizer_config.json", "chat_template.json", "special_tokens_map.json"})
      if (std::optional<json::Value> file = readConfig(folder, name))
        if (const json::Object *object = file->getAsObject())
          readObject(*object, name);
    return std::move(found);
  }

private:
  void readJinja() {
    constexpr uint64_t mostBytes = 4 << 20; // a template beyond its own limit gets a message when it is compiled
    SmallString<128> path(folder);
    sys::path::append(path, "chat_template.jinja");
    uint64_t bytes;
    if (!sys::fs::is_regular_file(path) || sys::fs::file_size(path, bytes))
      return;
    if (bytes > mostBytes) {
      found.leftOut.push_back("chat_template.jinja is left out: it is larger than 4 MiB");
      return;
    }
    if (auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false)) {
      found.chatTemplate = (*file)->getBuffer().str();
      found.file = path.str().str();
    }
  }
  void readTemplate(const json::Value *value, StringRef name) {
    if (std::optional<StringRef> source = templateOf(value)) {
      SmallString<128> path(folder);
      sys::path::append(path, name);
      found.chatTemplate = source->str();
      found.file = path.str().str();
    } else if (value && value->kind() != json::Value::Null) {
      found.leftOut.push_back(name.str() + ": chat_template is left out: it is neither a text nor a list of texts by "
                                           "name with one called default");
    }
  }
  void readObject(const json::Object &object, StringRef name) {
    if (!found.chatTemplate)
      readTemplate(object.get("chat_template"), name);
    for (StringRef token : specialNames)
      if (std::optional<StringRef> text = textOfToken(object.get(token)); text && found.specialToken(token).empty())
        found.specialTokens.push_back({token.str(), text->str()});
    if (std::optional<bool> adds = object.getBoolean("add_bos_token"))
      found.addsBegin = adds;
  }

  std::string folder;
  ChatFolder found;
};

} // namespace

StringRef ChatFolder::specialToken(StringRef name) const {
  for (const auto &[known, text] : specialTokens)
    if (known == name)
      return text;
  return "";
}

ChatFolder chatFolderBeside(StringRef model) { return ChatFolderReader(model).read(); }

} // namespace sinter
