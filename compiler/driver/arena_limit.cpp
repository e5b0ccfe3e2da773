// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choosing row tiles goes by estimates that know nothing of scratch, alignment and packing, so the bound for them is
// searched: what the plan needs more than the limit is taken off, then halves.
#include "driver/arena_limit.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sinter {
namespace {

/// Of all regions; INT64_MAX: none.
int64_t limitOf(const CompileJob &job) {
  if (job.codegen.arenaLimit)
    return *job.codegen.arenaLimit;
  int64_t sum = 0;
  for (const Arena &region : job.pipeline.ram)
    sum = region.limit == INT64_MAX || sum == INT64_MAX ? INT64_MAX : sum + region.limit;
  return sum;
}

bool isWithin(const ArenaPeak &peak, const CompileJob &job) {
  return peak.fits() && (!job.codegen.arenaLimit || peak.arenaBytes <= *job.codegen.arenaLimit);
}

/// What flags lower the arena.
std::string flagsThatLower(const CompileJob &job, int64_t bytes, ArenaTrial arenaOf) {
  std::vector<std::pair<std::string, CompileJob>> trials;
  CompileJob balanced = job, ram = job, quantized = job;
  balanced.pipeline.fit = Fit::Balanced;
  ram.pipeline.fit = Fit::Ram;
  quantized.quantizedIo = true;
  if (job.pipeline.fit == Fit::Speed)
    trials.emplace_back("--fit balanced", balanced);
  if (job.pipeline.fit != Fit::Ram)
    trials.emplace_back("--fit ram", ram);
  if (!job.quantizedIo) {
    trials.emplace_back("--io quantized", quantized);
    if (job.pipeline.fit != Fit::Ram) {
      ram.quantizedIo = true;
      trials.emplace_back("--io quantized --fit ram", ram);
    }
  }
  std::string hint;
  for (const auto &[flags, trial] : trials)
    if (std::optional<ArenaPeak> needed = arenaOf(trial); needed && needed->arenaBytes < bytes) {
      hint += (hint.empty() ? "" : ". ") + flags + " needs " + std::to_string(needed->arenaBytes) + " bytes";
      if (!needed->regions.empty() && needed->fits())
        hint += ", which fit";
      bytes = needed->arenaBytes;
    }
  return hint;
}

/// "the arena needs 9000 bytes, --arena-limit allows 8192".
std::string comparison(const ArenaPeak &peak, const CompileJob &job) {
  if (peak.regions.empty())
    return "the arena needs " + std::to_string(peak.arenaBytes) + " bytes, --arena-limit allows " +
           std::to_string(*job.codegen.arenaLimit);
  std::string text;
  for (const Arena &region : peak.regions)
    text += (text.empty() ? "the arena needs " : ", ") + std::to_string(region.bytes) + " bytes in " + region.name +
            (region.limit == INT64_MAX ? std::string() : " (--ram allows " + std::to_string(region.limit) + ")");
  return text;
}

} // namespace

std::optional<CompileJob> withRowTilesThatFit(const CompileJob &job, ArenaTrial arenaOf) {
  int64_t limit = limitOf(job);
  if (job.pipeline.fit == Fit::Ram || limit == INT64_MAX)
    return std::nullopt;
  CompileJob tiled = job;
  std::optional<ArenaPeak> peak;
  auto fitsWith = [&](int64_t bytes) {
    tiled.pipeline.rowTilingBytes = bytes;
    peak = arenaOf(tiled);
    return peak && isWithin(*peak, job);
  };
  if (!fitsWith(0)) // as few as can be
    return std::nullopt;
  int64_t fitting = 0, tooLarge = limit + 1;
  constexpr int64_t steps = 6;
  for (int64_t step = 0, next = limit; step < steps && fitting < next && next < tooLarge; ++step) {
    if (fitsWith(next)) {
      fitting = next;
      next = (fitting + tooLarge) / 2;
      continue;
    }
    tooLarge = next;
    int64_t excess = peak ? std::max<int64_t>(peak->arenaBytes - limit, 0) : 0;
    next = excess && tooLarge - excess > fitting ? tooLarge - excess : (fitting + tooLarge) / 2;
  }
  tiled.pipeline.rowTilingBytes = fitting;
  return tiled;
}

Problem describeExcess(const ArenaPeak &peak, const CompileJob &job, ArenaTrial arenaOf) {
  std::string hint = flagsThatLower(job, peak.arenaBytes, arenaOf);
  std::string advice;
  for (const auto &dim : job.import.dims)
    if (dim.getValue().min < dim.getValue().max)
      advice += (advice.empty() ? "smaller bounds need less: --dim " : ", --dim ") + dim.getKey().str();
  if (advice.empty())
    advice = "smaller inputs, or smaller feature maps there, need less";
  if (!hint.empty()) { // a sentence of its own
    hint += ". ";
    advice[0] = toUpper(advice[0]);
  }
  return {Code::ArenaTooLarge,
          comparison(peak, job) + "; most in " + peak.call + ", where there live " + peak.tensors,
          {},
          hint + advice};
}

} // namespace sinter
