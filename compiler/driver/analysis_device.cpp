// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `sinter analyze` says of a model on a GPU: where a call waits, what each kernel takes of each SM, and how full
// of it the SM is. All of it is in the report (codegen/report/report_device.cpp).
#include "driver/analysis.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace sinter {
namespace {

long long memberNumber(const json::Object &object, StringRef name) { return object.getInteger(name).value_or(0); }

/// What strings of JSON hold, without what could steer a terminal.
std::string printableMember(const json::Object &object, StringRef name) {
  std::string text;
  raw_string_ostream(text).write_escaped(object.getString(name).value_or(""));
  return text;
}

void printWaits(const json::Object &device, raw_ostream &out) {
  const json::Array &reads = *device.getArray("reads"), &checked = *device.getArray("status_calls");
  out << "waits      in " << reads.size() << (reads.size() == 1 ? " place" : " places") << " of a call for a value"
      << (checked.empty() ? "" : ", and at its end for a status") << "\n";
  for (const json::Value &value : reads) {
    const json::Object &read = *value.getAsObject();
    out << "           before call " << memberNumber(read, "before_call") << ", " << printableMember(read, "node")
        << ": " << printableMember(read, "cause") << "\n";
  }
  out << "\n";
}

/// The sum of modelled times, and what takes most of it.
void printTimes(const json::Object &root, const json::Object &device, raw_ostream &out) {
  const json::Object *model = device.getObject("model");
  if (!model)
    return;
  auto number = [](const json::Object &object, StringRef name) { return object.getNumber(name).value_or(0); };
  out << "modelled   " << format("%.1f us on ", number(*model, "total_us")) << printableMember(*model, "gpu")
      << format(": %.1f in kernels, %.1f in %lld gaps; weights come from DRAM\n", number(*model, "kernels_us"),
                number(*model, "gaps_us"), memberNumber(*model, "launches"));
  MapVector<StringRef, std::pair<double, const json::Object *>> functions; // microseconds of all calls
  for (const json::Value &value : *root.getArray("kernels"))
    if (const json::Object *time = value.getAsObject()->getObject("modelled")) {
      auto &[sum, first] = functions[value.getAsObject()->getString("function").value_or("")];
      sum += number(*time, "us") * static_cast<double>(memberNumber(*value.getAsObject(), "repeats"));
      first = first ? first : time;
    }
  auto all = functions.takeVector();
  stable_sort(all, [](const auto &a, const auto &b) { return a.second.first > b.second.first; });
  constexpr size_t shown = 12;
  for (const auto &[name, function] : ArrayRef(all).take_front(shown))
    out << "           " << left_justify(name.take_front(28), 28)
        << format(" %9.2f us, of each call: %.2f us, bound by ", function.first, number(*function.second, "us"))
        << printableMember(*function.second, "bound") << (function.second->getString("choice") ? ", " : "")
        << printableMember(*function.second, "choice") << "\n";
  out << "\n";
}

} // namespace

void printDevice(const ModelReport &report, raw_ostream &out) {
  const json::Object &root = *report.json.getAsObject();
  const json::Object *device = root.getObject("device");
  if (!device)
    return;
  printWaits(*device, out);
  printTimes(root, *device, out);
  MapVector<StringRef, std::pair<const json::Object *, long long>> functions; // the first call of each, and how many
  for (const json::Value &value : *root.getArray("kernels")) {
    const json::Object &kernel = *value.getAsObject();
    auto &[first, calls] = functions[kernel.getString("function").value_or("")];
    first = first ? first : &kernel;
    ++calls;
  }
  out << "kernel                       SM     calls threads registers   shared  spills  blocks/SM occupancy limit\n";
  for (const auto &[name, function] : functions) {
    const auto &[kernel, calls] = function;
    const json::Array *places = kernel->getArray("on");
    if (!places)
      out << left_justify(name.take_front(28), 28)
          << format(" -      %5lld %7lld\n", calls, memberNumber(*kernel, "threads"));
    for (const json::Value &value : places ? *places : json::Array()) {
      const json::Object &on = *value.getAsObject();
      out << left_justify(name.take_front(28), 28)
          << format(" sm_%-3lld %5lld %7lld %9lld %8lld %7lld %10lld %7lld %% ", memberNumber(on, "sm"), calls,
                    memberNumber(*kernel, "threads"), memberNumber(on, "registers"), memberNumber(on, "shared_bytes"),
                    memberNumber(on, "spill_store_bytes") + memberNumber(on, "spill_load_bytes"),
                    memberNumber(on, "blocks_per_sm"), memberNumber(on, "occupancy_percent"))
          << printableMember(on, "limit") << "\n";
    }
  }
  out << "\n";
}

} // namespace sinter
