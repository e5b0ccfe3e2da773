// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tuning_file.h"

#include "driver/error_saying.h"
#include "support/bounded_json.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace sinter {
namespace {

Expected<TuningEntry> readEntry(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return errorSaying("it is no object");
  TuningEntry entry;
  std::pair<StringRef, std::string *> texts[] = {{"target", &entry.target}, {"compiler", &entry.compiler},
                                                 {"site", &entry.site},     {"choice", &entry.choice},
                                                 {"usual", &entry.usual},   {"processor", &entry.processor}};
  for (auto [name, into] : texts) {
    std::optional<StringRef> text = object->getString(name);
    if (!text)
      return errorSaying("its '" + name.str() + "' is missing, or no text");
    *into = text->str();
  }
  std::pair<StringRef, double *> numbers[] = {{"seconds", &entry.seconds}, {"usual_seconds", &entry.usualSeconds}};
  for (auto [name, into] : numbers) {
    std::optional<double> number = object->getNumber(name);
    if (!number || !std::isfinite(*number) || *number < 0)
      return errorSaying("its '" + name.str() + "' is missing, or no time");
    *into = *number;
  }
  return entry;
}

} // namespace

Expected<TuningFile> TuningFile::parse(StringRef text, StringRef path) {
  constexpr unsigned deepest = 8;
  auto damaged = [&](const Twine &why) { return errorSaying((path + " is no file that --tune wrote: " + why).str()); };
  JsonLimits limits;
  limits.depth = deepest;
  Expected<json::Value> parsed = parseBoundedJson(text, limits);
  if (!parsed)
    return damaged(toString(parsed.takeError()));
  const json::Object *root = parsed->getAsObject();
  if (!root || root->getInteger("version") != 1)
    return damaged("it has no \"version\": 1");
  const json::Array *choices = root->getArray("choices");
  if (!choices)
    return damaged("'choices' are missing");
  std::vector<TuningEntry> entries;
  for (auto [i, value] : enumerate(*choices)) {
    Expected<TuningEntry> entry = readEntry(value);
    if (!entry)
      return damaged("choice " + Twine(i) + ": " + toString(entry.takeError()));
    entries.push_back(std::move(*entry));
  }
  TuningFile file;
  file.add(std::move(entries));
  return file;
}

Expected<TuningFile> TuningFile::read(StringRef path) {
  uint64_t bytes = 0;
  if (std::error_code code = sys::fs::file_size(path, bytes))
    return errorSaying((path + ": " + code.message()).str());
  if (bytes > static_cast<uint64_t>(mostBytes))
    return errorSaying((path + " is no file that --tune wrote: it is larger than 64 MiB").str());
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  if (!file)
    return errorSaying((path + ": " + file.getError().message()).str());
  return parse((*file)->getBuffer(), path);
}

std::string TuningFile::text() const {
  std::string text;
  raw_string_ostream out(text);
  out << "{\"version\": 1, \"choices\": [";
  for (const TuningEntry &entry : entries) {
    json::Object object{{"target", entry.target},   {"compiler", entry.compiler},
                        {"site", entry.site},       {"choice", entry.choice},
                        {"usual", entry.usual},     {"processor", json::fixUTF8(entry.processor)},
                        {"seconds", entry.seconds}, {"usual_seconds", entry.usualSeconds}};
    out << (&entry == entries.data() ? "\n" : ",\n") << json::Value(std::move(object));
  }
  out << "\n]}\n";
  return text;
}

void TuningFile::add(std::vector<TuningEntry> measured) {
  // The last of equal keys stays.
  entries.insert(entries.end(), measured.begin(), measured.end());
  std::reverse(entries.begin(), entries.end());
  stable_sort(entries, [](const TuningEntry &a, const TuningEntry &b) { return a.key() < b.key(); });
  entries.erase(llvm::unique(entries, [](const TuningEntry &a, const TuningEntry &b) { return a.key() == b.key(); }),
                entries.end());
}

TunedChoices TuningFile::choicesFor(StringRef target, StringRef compiler) const {
  TunedChoices choices;
  choices.isNoted = true;
  for (const TuningEntry &entry : entries)
    if (entry.target == target && entry.compiler == compiler)
      choices.taken[entry.site] = entry.choice;
  return choices;
}

} // namespace sinter
