// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "amalgamate.h"

#include "codegen/text/conditions.h"
#include "support/embedded.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace sinter {

namespace templates {
extern const EmbeddedFile embedded[];
}
namespace runtime_lite {
extern const EmbeddedFile embedded[];
}

static std::optional<std::string> findEmbedded(const EmbeddedFile *files, StringRef name) {
  for (; files->name; ++files)
    if (name == files->name)
      return std::string(files->text);
  return std::nullopt;
}

std::optional<std::string> readTemplate(StringRef header, StringRef folder) {
  if (!folder.empty()) {
    auto buffer = MemoryBuffer::getFile(folder + "/" + header, /*IsText=*/true);
    return buffer ? std::optional((*buffer)->getBuffer().str()) : std::nullopt;
  }
  return findEmbedded(header.starts_with("templates/") ? templates::embedded : runtime_lite::embedded, header);
}

std::set<std::string> headersForCpus(StringRef folder) {
  std::set<std::string> headers;
  for (const EmbeddedFile *files : {templates::embedded, runtime_lite::embedded})
    for (; files->name; ++files) {
      StringRef name = files->name;
      bool isForGpus = name.starts_with("templates/cuda/") || name.starts_with("runtime-lite/cuda/") ||
                       name.starts_with("runtime-lite/emulation/");
      bool callsLibraries = name.starts_with("templates/images/");
      bool isOfNoModel = name.starts_with("runtime-lite/generation/");
      if (!isForGpus && !callsLibraries && !isOfNoModel && readTemplate(name, folder))
        headers.insert(name.str());
    }
  return headers;
}

std::optional<std::string> findTemplate(StringRef name, StringRef folder) {
  std::string file = (name + ".h").str();
  if (folder.empty()) {
    for (const EmbeddedFile *each = templates::embedded; each->name; ++each)
      if (sys::path::filename(each->name) == file)
        return std::string(each->name);
    return std::nullopt;
  }
  std::error_code error;
  for (sys::fs::directory_iterator room(folder + "/templates", error), end; room != end && !error;
       room.increment(error))
    if (sys::fs::exists(room->path() + "/" + file))
      return ("templates/" + sys::path::filename(room->path()) + "/" + file).str();
  return std::nullopt;
}

/// Whether a header opens with an include guard, `#ifndef X` and `#define X`, which is no condition of what it holds.
static bool hasGuard(StringRef text) {
  while (!text.empty() && !text.starts_with("#"))
    text = text.split('\n').second;
  auto [first, others] = text.split('\n');
  return first.consume_front("#ifndef ") && others.split('\n').first == ("#define " + first).str();
}

namespace {
struct Collector {
  StringRef folder;
  std::optional<Conditions> conditions;
  Amalgamation result;
  std::set<std::string> seen;
  std::string missing;

  bool add(const std::string &header) {
    if (!seen.insert(header).second)
      return true;
    std::optional<std::string> text = readTemplate(header, folder);
    if (!text) {
      missing = header;
      return false;
    }
    PrintedCode own;
    bool lastBlank = true;
    int conditionsAround = hasGuard(*text) ? -1 : 0;
    for (StringRef rest = *text; !rest.empty();) {
      auto [line, others] = rest.split('\n');
      rest = others;
      StringRef directive = line.trim();
      conditionsAround += directive.starts_with("#if") ? 1 : directive.starts_with("#endif") ? -1 : 0;
      if (directive.consume_front("#include ")) {
        if (directive.consume_front("\"")) {
          if (!add(directive.split('"').first.str()))
            return false;
          continue;
        }
        if (conditionsAround <= 0) {
          result.systemHeaders.insert(directive.trim("<>").str());
          continue;
        }
      }
      if (directive == "#pragma once" || line.starts_with("// SPDX"))
        continue;
      std::optional<std::string> kept = conditions ? conditions->keep(line) : line.str();
      if (!kept || (kept->empty() && lastBlank))
        continue;
      lastBlank = kept->empty();
      own.append(PrintedCode::trusted(*kept), "\n");
    }
    result.text.append("// ", PrintedCode::trusted(header), "\n", own, "\n");
    return true;
  }
};
} // namespace

std::set<std::string> inModelHeader() { return {"runtime-lite/types.h", "runtime-lite/cuda/cuda_types.h"}; }

mlir::FailureOr<Amalgamation> amalgamate(const std::set<std::string> &headers, StringRef folder, std::string &missing,
                                         const Target *target, std::set<std::string> standing) {
  auto isDefined = [&](StringRef macro) { return target->defines(macro); };
  Collector collector{folder, std::nullopt, {}, std::move(standing), {}};
  if (target)
    collector.conditions.emplace(isDefined, "SINTER_");
  std::vector<std::string> byName(headers.begin(), headers.end());
  llvm::sort(byName, [](StringRef a, StringRef b) { // whatever room they are in
    auto key = [](StringRef header) { return std::pair(header.split('/').first, sys::path::filename(header)); };
    return key(a) < key(b);
  });
  for (const std::string &header : byName)
    if (!collector.add(header)) {
      missing = collector.missing;
      return mlir::failure();
    }
  return std::move(collector.result);
}

} // namespace sinter
