// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fastest run in the Trace Event Format, which chrome://tracing and Perfetto open: one complete event ("ph": "X",
// times in microseconds) for the call, and one for each kernel in it.
#include "driver/bench_result.h"

#include "llvm/Support/JSON.h"

using namespace llvm;

namespace sinter {
namespace {
json::Object completeEvent(StringRef name, StringRef category, double start, double seconds, json::Object args) {
  return json::Object{{"name", name},         {"cat", category}, {"ph", "X"}, {"ts", start * 1e6},
                      {"dur", seconds * 1e6}, {"pid", 1},        {"tid", 1},  {"args", std::move(args)}};
}
} // namespace

void printChromeTrace(const BenchResult &result, raw_ostream &out) {
  json::Array events;
  events.push_back(completeEvent(
      "call", "call", 0, result.tracedSeconds,
      json::Object{{"model", json::fixUTF8(result.model)}, {"target", result.target}, {"threads", result.threads}}));
  for (const KernelEvent &event : result.events) {
    const KernelReport &kernel = result.report.kernels[static_cast<size_t>(event.kernel)];
    json::Array nodes(kernel.nodes);
    events.push_back(completeEvent(kernel.function, kernel.kind, event.start, event.seconds,
                                   json::Object{{"nodes", std::move(nodes)},
                                                {"shapes", kernel.shapes},
                                                {"why", kernel.why},
                                                {"macs", kernel.macs},
                                                {"bytes", kernel.bytes},
                                                {"index", event.kernel}}));
  }
  out << formatv("{0:1}\n", json::Value(json::Object{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}}));
}

} // namespace sinter
