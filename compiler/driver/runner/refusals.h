// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that docs/output-format.md refuses: sizes just outside of their bounds (status 3), null pointers (1),
// misaligned ones and tensors of the arena that are given elsewhere (2), an arena that is too small (4). One thing is
// wrong at a time; all memory but the structs is out of reach, so a call that reads or writes any of it dies.
#pragma once

#include "call.h"

#include <cstdio>
#include <cstring>
#if defined(_WIN32)
#include <windows.h>
#else
#include <sys/mman.h>
#endif

class Refusals {
public:
  /// `call`: bound to sizes within their bounds, with the sizes that its outputs have. Gives the number of calls that
  /// did not end as they should; each has a line in stderr.
  static int check(const sinter_model_info &info, Call &call) {
    Refusals refusals(info, call);
    if (!refusals.isReady())
      return 1;
    refusals.checkSizes();
    refusals.checkArena();
    refusals.checkTensors(info.inputs, info.input_count, Call::pointers(call.in), call.inputs, "input");
    refusals.checkTensors(info.outputs, info.output_count, Call::pointers(call.out), call.outputs, "output");
    refusals.expect(1, "no environment", nullptr);
    return refusals.wrong;
  }

private:
  static constexpr size_t page = 1 << 16;

  Refusals(const sinter_model_info &info, Call &call) : info(info), call(call) {
#if defined(_WIN32)
    void *mapped = VirtualAlloc(nullptr, page, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
#else
    void *mapped = mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
      mapped = nullptr;
#endif
    if (!mapped)
      return;
    nowhere = static_cast<char *>(mapped);
    for (int i = 0; i < info.input_count; ++i)
      if (info.inputs[i].arena_offset < 0)
        Call::pointers(call.in)[i] = nowhere;
    for (int i = 0; i < info.output_count; ++i)
      if (info.outputs[i].arena_offset < 0)
        Call::pointers(call.out)[i] = nowhere;
    if (call.env.arena)
      call.env.arena = nowhere;
    for (void *&region : call.regionPointers)
      region = nowhere;
  }
  bool isReady() const { return nowhere != nullptr; }

  void checkSizes() {
    for (int i = 0; i < info.dim_count; ++i) {
      const sinter_dim_info &dim = info.dims[i];
      const int64_t values[] = {dim.min - 1, dim.max + 1, INT64_MIN, INT64_MAX, -1};
      for (const int64_t value : values)
        if (value < dim.min || value > dim.max)
          with(call.dims(info)[i], value, 3, dim.name);
    }
  }

  void checkArena() {
    if (info.arena_bytes == 0)
      return;
    if (info.region_count == 0) {
      with(call.env.arena, static_cast<void *>(nullptr), 1, "arena");
      with(call.env.arena, static_cast<void *>(nowhere + 1), 2, "arena");
      with(call.env.arena_bytes, info.arena_bytes - 1, info.arena_bytes == 1 ? 0 : 4, "size of the arena");
      return;
    }
    with(call.env.arenas, static_cast<void *const *>(nullptr), 1, "regions");
    for (int i = 0; i < info.region_count; ++i)
      if (info.regions[i].bytes != 0) {
        with(call.regionPointers[static_cast<size_t>(i)], static_cast<void *>(nullptr), 1, info.regions[i].name);
        with(call.regionPointers[static_cast<size_t>(i)], static_cast<void *>(nowhere + 1), 2, info.regions[i].name);
      }
  }

  /// At the sizes of the call, not at the largest.
  static bool hasElements(const Buffer &buffer) {
    bool has = buffer.bytes() != 0;
    for (const int64_t size : buffer.dims)
      has = has && size != 0;
    return has;
  }

  void checkTensors(const sinter_tensor_info *tensors, int count, void **pointers, const List<Buffer> &buffers,
                    const char *what) {
    for (int i = 0; i < count; ++i) {
      if (!hasElements(buffers[static_cast<size_t>(i)]))
        continue;
      char name[40];
      std::snprintf(name, sizeof name, "%s %d", what, i);
      const size_t alignment = alignmentOf(tensors[i].element_type);
      if (tensors[i].arena_offset >= 0) {
        with(pointers[i], static_cast<void *>(nowhere + page / 2), 2, name);
        continue;
      }
      with(pointers[i], static_cast<void *>(nullptr), 1, name);
      if (alignment > 1)
        with(pointers[i], static_cast<void *>(nowhere + alignment / 2), 2, name);
    }
  }

  template <class T>
  void with(T &place, T value, int status, const char *what) {
    if (status == 0)
      return;
    const T before = place;
    place = value;
    expect(status, what, &call.env);
    place = before;
  }

  void expect(int status, const char *what, const sinter_env *env) {
    const List<int64_t> out = call.out;
    const int got = modelRun(call.in.data(), call.out.data(), env);
    if (got == status && out == call.out)
      return;
    std::fprintf(stderr, "runner: %s: status %d instead of %d%s\n", what, got, status,
                 out == call.out ? "" : ", and outputs were written");
    ++wrong;
  }

  const sinter_model_info &info;
  Call &call;
  char *nowhere = nullptr; ///< memory out of reach
  int wrong = 0;
};
