// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the files of an adapter and reads what PEFT says of it. A key of the configuration that changes what the
// matrices mean, and is not known here, is refused rather than passed over.
#include "adapter.h"

#include "support/bounded_json.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace sinter {
namespace {

constexpr StringRef peftConfigName = "adapter_config.json", peftFileName = "adapter_model.safetensors";

class AdapterReader {
public:
  explicit AdapterReader(Diagnostics &diagnostics) : diagnostics(diagnostics) {}

  std::optional<Adapter> read(StringRef path) {
    adapter.path = path.str();
    if (sys::fs::is_directory(path))
      adapter.path = fileIn(path);
    std::unique_ptr<MemoryBuffer> file = open(adapter.path);
    if (!file)
      return std::nullopt;
    bool isSafetensors = StringRef(adapter.path).ends_with(".safetensors");
    adapter.bytes = std::move(file);
    StringRef bytes = adapter.bytes->getBuffer();
    if (std::optional<std::string> problem =
            isSafetensors ? readSafetensors(bytes, adapter.tensors) : readOnnxAdapter(bytes, adapter.tensors)) {
      report(Code::InvalidAdapter, *problem);
      return std::nullopt;
    }
    llvm::StringSet<> names;
    for (const AdapterTensor &tensor : adapter.tensors)
      if (!names.insert(tensor.name).second) {
        report(Code::InvalidAdapter, "tensor '" + tensor.name + "' is there twice");
        return std::nullopt;
      }
    if (isSafetensors && !readConfig())
      return std::nullopt;
    return std::move(adapter);
  }

private:
  void report(Code code, const Twine &what, const Twine &hint = "") {
    diagnostics.report({code, "the adapter " + adapter.path + ": " + what.str(), {}, hint.str()});
  }

  /// What PEFT writes, or the one .onnx_adapter file that is there.
  static std::string fileIn(StringRef folder) {
    SmallString<128> path(folder);
    sys::path::append(path, peftFileName);
    if (sys::fs::exists(path))
      return path.str().str();
    std::vector<std::string> found;
    std::error_code code;
    for (sys::fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
      if (StringRef(at->path()).ends_with(".onnx_adapter"))
        found.push_back(at->path());
    return found.size() == 1 ? found.front() : path.str().str();
  }

  std::unique_ptr<MemoryBuffer> open(StringRef path) {
    if (sys::fs::is_regular_file(path))
      if (auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false)) {
        adapter.files.push_back(path.str());
        return std::move(*file);
      }
    diagnostics.report({Code::InvalidAdapter,
                        ("the adapter's file " + path + " is not there, or cannot be read").str(),
                        {},
                        "an adapter is a folder with adapter_model.safetensors and adapter_config.json, as PEFT writes "
                        "it, or an .onnx_adapter file"});
    return nullptr;
  }

  bool readConfig() {
    constexpr uint64_t mostBytes = 4 << 20;
    SmallString<128> path(sys::path::parent_path(adapter.path));
    sys::path::append(path, peftConfigName);
    std::unique_ptr<MemoryBuffer> file = open(path);
    if (!file)
      return false;
    StringRef text = file->getBuffer();
    bool isReadable = text.size() <= mostBytes;
    Expected<json::Value> value = isReadable ? parseBoundedJson(text) : json::Value(nullptr);
    if (!value)
      consumeError(value.takeError());
    const json::Object *config = value ? value->getAsObject() : nullptr;
    if (!config) {
      report(Code::InvalidAdapter, peftConfigName + " is no JSON object");
      return false;
    }
    return takeConfig(*config);
  }

  /// A pattern of modules' names is short, and repeats nothing many times: each repetition is a copy, also of others.
  static bool isBounded(StringRef pattern) {
    constexpr size_t mostBytes = 4096;
    uint64_t copies = 1;
    for (size_t at = pattern.find('{'); at != StringRef::npos; at = pattern.find('{', at + 1)) {
      StringRef rest = pattern.drop_front(at + 1);
      for (uint64_t count; !rest.consumeInteger(10, count); rest.consume_front(","))
        copies =
            std::min<uint64_t>(copies * std::max<uint64_t>(std::min<uint64_t>(count, mostBytes), 1), mostBytes + 1);
    }
    return pattern.size() <= mostBytes && copies <= mostBytes;
  }

  bool takeConfig(const json::Object &config) {
    constexpr StringRef others[] = {"use_dora",        "lora_bias",         "use_qalora",
                                    "megatron_config", "layer_replication", "trainable_token_indices"};
    auto unsupported = [&](const Twine &what) {
      report(Code::UnsupportedAdapter, what, "PEFT's merge_and_unload merges it before the model is exported");
      return false;
    };
    StringRef kind = config.getString("peft_type").value_or("");
    if (kind != "LORA")
      return unsupported("peft_type " + (kind.empty() ? StringRef("is missing") : kind) + ": only LORA is known");
    for (StringRef key : others)
      if (const json::Value *value = config.get(key);
          value && value->kind() != json::Value::Null && value->getAsBoolean() != std::optional(false))
        return unsupported(key + " is set");
    PeftConfig made;
    std::optional<double> alpha = config.getNumber("lora_alpha");
    if (!alpha) {
      report(Code::InvalidAdapter, peftConfigName + " has no lora_alpha");
      return false;
    }
    made.alpha = *alpha;
    auto isThere = [](const json::Value *value) { return value && value->kind() != json::Value::Null; };
    const json::Value *root = config.get("use_rslora"), *patterns = config.get("alpha_pattern");
    if (isThere(root) && !root->getAsBoolean()) {
      report(Code::InvalidAdapter, peftConfigName + ": use_rslora is neither true nor false");
      return false;
    }
    made.usesRootOfRank = isThere(root) && *root->getAsBoolean();
    if (isThere(patterns) && !patterns->getAsObject()) {
      report(Code::InvalidAdapter, peftConfigName + ": alpha_pattern is no object of numbers by modules");
      return false;
    }
    if (isThere(patterns))
      for (const auto &[pattern, value] : *patterns->getAsObject()) {
        std::string problem;
        std::optional<double> number = value.getAsNumber();
        if (!number || !isBounded(pattern) || !Regex(StringRef(pattern)).isValid(problem))
          return unsupported("alpha_pattern '" + StringRef(pattern) +
                             "' is no expression with a number, or too large a one");
        made.alphaPatterns.push_back({StringRef(pattern).str(), *number});
      }
    llvm::sort(made.alphaPatterns);
    adapter.peft = std::move(made);
    return true;
  }

  Diagnostics &diagnostics;
  Adapter adapter;
};

} // namespace

std::optional<std::string> checkAdapterTensor(const AdapterTensor &tensor) {
  constexpr size_t mostDims = 16;
  unsigned bits = tensor.type == ElementType::Bool ? 8 : bitWidth(tensor.type);
  uint64_t elements = 1;
  bool isEmpty = is_contained(tensor.dims, 0), isTooLarge = tensor.dims.size() > mostDims;
  for (int64_t dim : tensor.dims) {
    if (dim < 0)
      return "tensor '" + tensor.name + "' has a dim below 0";
    isTooLarge |= !isEmpty && static_cast<uint64_t>(dim) > mostElements / elements;
    elements *= isEmpty || isTooLarge ? 1 : static_cast<uint64_t>(dim);
  }
  if (isTooLarge || tensor.bytes.size() != (isEmpty ? 0 : elements * bits / 8))
    return "tensor '" + tensor.name + "' has another number of bytes than its shape says";
  return std::nullopt;
}

std::optional<Adapter> readAdapter(StringRef path, Diagnostics &diagnostics) {
  return AdapterReader(diagnostics).read(path);
}

} // namespace sinter
