// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beam search over sessions: each beam has one of its own, and one more into which the cache that it goes on with is
// copied. Groups of beams are searches side by side, of which later ones avoid what earlier ones choose. What the
// encoder made goes along.
#pragma once

#include "sampling_words.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

class SessionBeams {
public:
  SessionBeams(const void *weights, const BeamWords &words) : words(words), count(words.count), groups(words.groups) {
    if (groups < 1 || count % groups != 0)
      endWith("groups of beams are equally large: --beam-groups divides --beams");
    for (int32_t i = 0; i < count; ++i) {
      running.push_back(std::make_unique<OwnSession<Net>>(weights));
      next.push_back(std::make_unique<OwnSession<Net>>(weights));
    }
  }

  /// The best text behind `prompt`, which `begun` holds, of up to `most` tokens; with the token that ends it, if one
  /// does.
  /// Where the settings draw, beams go on with what is drawn of all their continuations.
  /// `encoded`: what the encoder read; of models without one, the prompt.
  std::vector<int64_t> search(const NET(_session) & begun, const std::vector<int64_t> &prompt, sinter_sampler settings,
                              const std::vector<int64_t> &ends, int64_t most, const std::vector<int32_t> &encoded) {
    constexpr int32_t vocabulary = SIZE(_SESSION_VOCABULARY);
    if (groups > 1 && settings.do_sample)
      endWith("beams in groups go with no draws: leave --beam-groups away, or give --temperature 0");
    const std::vector<int32_t> eos = tokensOfModel(ends);
    settings.eos = {eos.data(), static_cast<int32_t>(eos.size())};
    settings.max_length = static_cast<int32_t>(static_cast<int64_t>(prompt.size()) + most);
    const int32_t own = count / groups; // beams of a group
    const sinter_beams beams = {own, settings.max_length, words.lengthPenalty, words.stopping, SINTER_LENGTH_GENERATED};
    std::vector<uint64_t> scratch(sinter::sampler_scratch_bytes(vocabulary) / sizeof(uint64_t) + 1);
    const std::vector<int32_t> ids(prompt.begin(), prompt.end());
    std::vector<std::vector<uint64_t>> memory;
    std::vector<sinter::BeamSearch> searches;
    for (int32_t i = 0; i < groups; ++i) {
      memory.emplace_back(sinter::beam_search_bytes(beams, settings.eos.count) / sizeof(uint64_t) + 1);
      searches.emplace_back(beams, settings, vocabulary, memory.back().data());
      check(searches.back().begin(ids.data(), static_cast<int32_t>(ids.size()),
                                  {encoded.data(), static_cast<int32_t>(encoded.size())}));
    }
    const float *const last = begun.logits + (begun.rows - 1) * vocabulary;
    std::vector<float> logits(static_cast<size_t>(count) * vocabulary);
    for (int32_t i = 0; i < groups; ++i)
      std::copy(last, last + vocabulary, logits.begin() + int64_t(i) * own * vocabulary);
    for (bool isFirst = true, goesOn = true; goesOn; isFirst = false) {
      goesOn = false;
      std::vector<int32_t> beside;
      for (int32_t group = 0; group < groups; ++group) {
        sinter::BeamSearch &search = searches[static_cast<size_t>(group)];
        if (search.isDone())
          continue;
        check(search.step(logits.data() + int64_t(group) * own * vocabulary, scratch.data(),
                          scratch.size() * sizeof(uint64_t), {beside.data(), static_cast<int32_t>(beside.size())}));
        for (int32_t i = 0; i < own; ++i)
          beside.push_back(search.tokens(i)[search.length() - 1]);
        for (int32_t i = 0; i < own && !search.isDone(); ++i) {
          const auto beam = static_cast<size_t>(group * own + i);
          const auto parent = static_cast<size_t>(group * own + search.parents()[i]);
          const int64_t id = search.tokens(i)[search.length() - 1];
          NET(_session) &session = next[beam]->session;
          checkCall(NET(_fork)(&session, isFirst ? &begun : &running[parent]->session));
          checkCall(NET(_step)(&session, &id, nullptr));
        }
        for (size_t i = 0; i < static_cast<size_t>(own) && !search.isDone(); ++i) {
          const size_t beam = static_cast<size_t>(group * own) + i;
          std::swap(running[beam], next[beam]);
          const float *const row = running[beam]->session.logits;
          std::copy(row, row + vocabulary, logits.begin() + static_cast<int64_t>(beam) * vocabulary);
        }
        goesOn |= !search.isDone();
      }
    }
    const sinter::BeamSearch *best = nullptr;
    for (const sinter::BeamSearch &search : searches)
      if (search.finishedCount() > 0 && (!best || search.finishedScore(0) > best->finishedScore(0)))
        best = &search;
    if (!best)
      endWith("no text ended: --tokens may be too few");
    return {best->finished(0) + prompt.size(), best->finished(0) + best->finishedLength(0)};
  }

private:
  static void check(int32_t status) {
    if (status)
      endWithSample(status);
  }
  static void checkCall(int status) {
    if (status)
      endWithStatus(status);
  }

  BeamWords words;
  int32_t count, groups;
  std::vector<std::unique_ptr<OwnSession<Net>>> running, next;
};
