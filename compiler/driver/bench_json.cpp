// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/answer.h"
#include "driver/bench_result.h"

using namespace llvm;

namespace sinter {
namespace {
json::Object describeTimes(const Times &times) {
  return json::Object{
      {"calls", static_cast<int64_t>(times.calls)}, {"min", times.least}, {"median", times.median}, {"p99", times.p99}};
}

json::Array kernelsOf(const BenchResult &result) {
  json::Array kernels;
  for (const auto &[i, kernel] : enumerate(result.report.kernels)) {
    json::Object object{{"index", static_cast<int64_t>(i)},
                        {"function", kernel.function},
                        {"kernel", kernel.kind},
                        {"nodes", json::Array(kernel.nodes)},
                        {"macs", kernel.macs}};
    double seconds = result.kernelSeconds.empty() ? 0 : result.kernelSeconds[i];
    if (!result.kernelSeconds.empty())
      object["seconds"] = seconds;
    if (kernel.estimatedSeconds >= 0)
      object["estimated_seconds"] = kernel.estimatedSeconds;
    if (kernel.bytes >= 0)
      object["bytes"] = kernel.bytes;
    PeakShare share = result.peak ? peakShare(*result.peak, kernel, seconds) : PeakShare();
    if (share.roof != PeakShare::None) {
      object["roof"] = share.roof == PeakShare::Compute ? "fma" : "memory";
      object["share_of_peak"] = share.share;
    }
    kernels.push_back(std::move(object));
  }
  return kernels;
}

json::Object describeTimes(const Peak &peak) {
  json::Array memory;
  for (const Peak::Memory &size : peak.memory)
    memory.push_back(json::Object{{"bytes", size.bytes}, {"bytes_per_second", size.bytesPerSecond}});
  return json::Object{{"macs_per_second", peak.macsPerSecond}, {"memory", std::move(memory)}};
}

json::Array rivalsOf(const BenchResult &result) {
  json::Array rivals;
  for (const Rival &rival : result.rivals) {
    json::Object object{{"name", rival.name}, {"version", rival.version}};
    if (rival.problem.empty())
      object["times"] = describeTimes(rival.times);
    if (rival.problem.empty() && rival.first > 0)
      object["first"] = rival.first;
    else
      object["problem"] = json::fixUTF8(rival.problem);
    rivals.push_back(std::move(object));
  }
  return rivals;
}
} // namespace

json::Object jsonOf(const BenchResult &result) {
  json::Object root{{"model", utf8(result.model)},
                    {"target", result.target},
                    {"processor", result.processor},
                    {"emulated", result.emulated},
                    {"threads", result.threads},
                    {"cold_bytes", result.coldBytes},
                    {"call", describeTimes(result.call)},
                    {"macs", result.report.macs},
                    {"kernels", kernelsOf(result)},
                    {"by_kernel", jsonOf(result.byKernel, "seconds")},
                    {"by_operator", jsonOf(result.byOperator, "seconds")},
                    {"report", result.report.json}};
  if (result.peak)
    root["peak"] = describeTimes(*result.peak);
  if (!result.rivals.empty())
    root["against"] = json::Object{{"interleaved", result.interleaved}, {"programs", rivalsOf(result)}};
  return root;
}

} // namespace sinter
