// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/custom_ops.h"

#include "custom/add_operators.h"
#include "custom/read_operators.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace llvm;

namespace sinter {
namespace {

std::string absolute(StringRef path) {
  SmallString<128> whole(path);
  if (sys::fs::make_absolute(whole))
    return path.str();
  sys::path::remove_dots(whole);
  return whole.str().str();
}

/// Of one description.
Error addDescribed(StringRef path) {
  Expected<std::vector<CustomOperator>> described = readCustomOperators(path);
  if (!described)
    return described.takeError();
  for (CustomOperator &custom : *described)
    if (Error error = addCustomOperator(std::move(custom)))
      return createStringError(inconvertibleErrorCode(), path + ": " + toString(std::move(error)));
  return Error::success();
}

json::Value defaultOf(const CustomAttribute &attribute) {
  switch (attribute.kind) {
  case AttributeKind::Float:
    return attribute.real;
  case AttributeKind::String:
    return json::fixUTF8(attribute.text);
  case AttributeKind::Ints:
    return json::Array(attribute.integers);
  case AttributeKind::Floats:
    return json::Array(attribute.reals);
  default:
    return attribute.integer;
  }
}
} // namespace

bool CustomOpsFlag::addOperators() const {
  static std::set<std::string> added;
  for (const std::string &path : customOps)
    if (added.insert(absolute(path)).second)
      if (Error error = addDescribed(path)) {
        printError("--custom-ops " + toString(std::move(error)), "docs/custom-operators.md says what stands in it");
        return false;
      }
  return true;
}

void CustomOpsFlag::toJob(CompileJob &job) const {
  job.customFiles.assign(customOps.begin(), customOps.end());
  for (const CustomOperator *custom : customOperators()) {
    std::vector<GeneratedFile> &files = job.codegen.userHeaders[custom->header];
    for (const std::string &path : custom->paths()) {
      std::string name = sys::path::filename(path).str();
      if (any_of(files, [&](const GeneratedFile &file) { return file.name == name; }))
        continue;
      if (auto buffer = MemoryBuffer::getFile(path)) // that it is there, the reader has checked
        files.push_back({name, (*buffer)->getBuffer().str()});
      if (!is_contained(job.customFiles, path))
        job.customFiles.push_back(path);
    }
  }
}

bool checkCustomFiles(const CompileJob &job) {
  for (const auto &[header, files] : job.codegen.userHeaders)
    for (const GeneratedFile &file : files)
      if (sys::path::stem(file.name) == job.codegen.prefix ||
          StringRef(file.name).starts_with(job.codegen.prefix + "_")) {
        printError("--custom-ops: " + file.name + " has the name of a file that is made for " + job.codegen.prefix,
                   "--prefix gives what is made another name");
        return false;
      }
  return true;
}

bool isUserFile(const CodegenOptions &options, StringRef name) {
  return any_of(options.userHeaders, [&](const auto &entry) {
    return any_of(entry.second, [&](const GeneratedFile &file) { return file.name == name; });
  });
}

std::string customOpsJson() {
  json::Array all;
  for (const CustomOperator *custom : customOperators()) {
    json::Object defaults;
    for (const CustomAttribute &attribute : custom->attributes)
      if (!attribute.isRequired)
        defaults[attribute.name] =
            json::Object{{"kind", static_cast<int>(attribute.kind)}, {"value", defaultOf(attribute)}};
    all.push_back(json::Object{{"domain", custom->domain},
                               {"name", custom->name},
                               {"reference", custom->reference.empty() ? "" : absolute(custom->reference)},
                               {"library", custom->library.empty() ? "" : absolute(custom->library)},
                               {"defaults", std::move(defaults)}});
  }
  std::string text;
  if (!all.empty())
    raw_string_ostream(text) << json::Value(std::move(all));
  return text;
}

} // namespace sinter
