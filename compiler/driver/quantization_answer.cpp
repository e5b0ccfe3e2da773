// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of all members that page/quantized.js reads, so that what is no report is said here and not a blank page.
#include "driver/quantization_answer.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sinter {
namespace {
constexpr size_t mostBins = 4096; ///< reports have 32

bool isNumber(const json::Value *value) { return value && value->getAsNumber(); }

/// Members of entries of a list, by what they are; those that are optional may be missing or null.
struct EntryForm {
  llvm::StringLiteral list;
  std::initializer_list<llvm::StringLiteral> texts, numbers, optionalNumbers;
  bool needsHistogram;
};

std::string problemOf(const json::Object &answer, const EntryForm &form) {
  const json::Value *list = answer.get(form.list);
  if (!list)
    return "";
  if (!list->getAsArray())
    return (form.list + " is no list").str();
  for (const auto &[i, value] : enumerate(*list->getAsArray())) {
    std::string where = form.list.str() + "[" + std::to_string(i) + "]";
    const json::Object *entry = value.getAsObject();
    if (!entry)
      return where + " is no object";
    for (StringRef name : form.texts)
      if (!entry->getString(name))
        return (where + "." + name + " is no text").str();
    for (StringRef name : form.numbers)
      if (!isNumber(entry->get(name)))
        return (where + "." + name + " is no number").str();
    for (StringRef name : form.optionalNumbers)
      if (const json::Value *number = entry->get(name); number && !isNumber(number))
        return (where + "." + name + " is no number").str();
    if ((form.needsHistogram || entry->get("histogram")) && !isHistogram(entry->getObject("histogram")))
      return where + ".histogram is none";
  }
  return "";
}
} // namespace

bool isHistogram(const json::Object *histogram) {
  const json::Array *counts = histogram ? histogram->getArray("counts") : nullptr;
  return counts && counts->size() <= mostBins && isNumber(histogram->get("low")) && isNumber(histogram->get("high")) &&
         llvm::all_of(*counts, [](const json::Value &count) { return isNumber(&count); });
}

bool isQuantization(const json::Object &answer) { return answer.getString("way").has_value(); }

std::string problemOfQuantization(const json::Object &answer) {
  static const EntryForm forms[] = {
      {"layers", {"name", "operator"}, {}, {"loss"}, false},
      {"weights", {"name", "operator"}, {"bytes_before", "bytes", "loss"}, {}, false},
      {"ranges", {"name"}, {"scale", "zero", "from", "to", "clipped", "loss"}, {}, true},
  };
  for (const EntryForm &form : forms)
    if (std::string problem = problemOf(answer, form); !problem.empty())
      return problem;
  for (StringRef name : {"loss", "disagreement"})
    if (const json::Value *number = answer.get(name); number && !isNumber(number))
      return (name + " is no number").str();
  return "";
}

} // namespace sinter
