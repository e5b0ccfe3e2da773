// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long calls of a model on a GPU take, and whether each way to call it gives the same bits: as a graph or by plain
// launches, with tensors on the host or on the device, with what the last call left in L2 or with that written over.
// Built by test_gpu.py with the library of a model whose prefix is m; it knows the model by its info. Prints a JSON
// object: the ways, and what copies on the device reach, within L2 and beyond it.
//   gpu_latency CALLS [DRIVER]     CALLS 1: each way once, for tools that look for errors
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vector>

#include "m.h"

namespace {
using Clock = std::chrono::steady_clock;

double micros(Clock::time_point since) {
  return std::chrono::duration<double, std::micro>(Clock::now() - since).count();
}

[[noreturn]] void fail(const char *what, int status, const char *text) {
  std::fprintf(stderr, "%s: status %d: %s\n", what, status, text);
  std::exit(1);
}

/// Memory on the device, through the driver.
struct Driver {
  int (*retain)(void **, int), (*push)(void *), (*allocate)(uint64_t *, size_t);
  int (*toDevice)(uint64_t, const void *, size_t, void *), (*toHost)(void *, uint64_t, size_t, void *);
  int (*onDevice)(uint64_t, uint64_t, size_t, void *), (*attribute)(int *, int, int);
  int (*streamCreate)(void **, unsigned), (*synchronize)(void *);
  void *stream = nullptr;
  size_t l2Bytes = 1 << 20; ///< where the driver does not say
  uint64_t large[2] = {};   ///< twice of that each

  template <class F>
  static void find(void *library, const char *name, F &function) {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (!function)
      fail(name, 0, "the driver lacks it");
  }
  explicit Driver(const char *path) {
    void *library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW);
    if (!library)
      fail("dlopen", 0, dlerror());
    find(library, "cuDevicePrimaryCtxRetain", retain);
    find(library, "cuCtxPushCurrent_v2", push);
    find(library, "cuMemAlloc_v2", allocate);
    find(library, "cuMemcpyHtoDAsync_v2", toDevice);
    find(library, "cuMemcpyDtoHAsync_v2", toHost);
    find(library, "cuMemcpyDtoDAsync_v2", onDevice);
    find(library, "cuDeviceGetAttribute", attribute);
    find(library, "cuStreamCreate", streamCreate);
    find(library, "cuStreamSynchronize", synchronize);
    void *context = nullptr;
    if (retain(&context, 0) != 0 || push(context) != 0 || streamCreate(&stream, 1) != 0)
      fail("a context", 0, "there is none");
    constexpr int kL2Bytes = 38;
    int bytes = 0;
    if (attribute(&bytes, kL2Bytes, 0) == 0 && bytes > 0)
      l2Bytes = size_t(bytes);
    for (uint64_t &pointer : large)
      if (allocate(&pointer, 2 * l2Bytes) != 0)
        fail("memory", 0, "there is none on the device");
  }
  /// Nothing that was in L2 is so afterwards.
  void flushL2() {
    if (onDevice(large[0], large[1], 2 * l2Bytes, stream) != 0 || synchronize(stream) != 0)
      fail("a copy", 0, "it failed");
  }
  /// GB/s, read and written, of copies of that size, the best of some.
  double copySpeed(size_t bytes, int times) {
    double best = 0;
    for (int i = 0; i < times; ++i) {
      const Clock::time_point start = Clock::now();
      constexpr int kCopies = 20; // for the cost of one wait
      for (int k = 0; k < kCopies; ++k)
        if (onDevice(large[0], large[1], bytes, stream) != 0)
          fail("a copy", 0, "it failed");
      if (synchronize(stream) != 0)
        fail("a copy", 0, "it failed");
      best = std::max(best, 2.0 * double(bytes) * kCopies / micros(start) / 1000);
    }
    return best;
  }
};

size_t elementBytes(int type) {
  constexpr uint8_t bytes[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 8, 16, 2};
  return type > 0 && type < 17 ? bytes[type] : 0;
}

/// The largest of each, with numbers that are the same each time: inputs of floats between -1 and 1, of others 0 and 1.
std::vector<char> make(const sinter_tensor_info &info, bool isInput) {
  size_t count = 1;
  for (int d = 0; d < info.rank; ++d)
    count *= size_t((info.max_dims ? info.max_dims : info.dims)[d]);
  if (elementBytes(info.element_type) == 0)
    fail("a tensor", info.element_type, "its type is not measured");
  std::vector<char> bytes(count * elementBytes(info.element_type));
  uint32_t random = 1;
  for (size_t i = 0; isInput && i < count; ++i) {
    random = random * 1664525u + 1013904223u;
    const float x = float(random >> 8) / float(1 << 23) - 1;
    if (info.element_type == 1)
      std::memcpy(&bytes[i * 4], &x, 4);
    else if (elementBytes(info.element_type) == 1 || info.element_type == 6 || info.element_type == 7)
      bytes[i * elementBytes(info.element_type)] = char(random >> 31);
  }
  return bytes;
}

struct Way {
  bool isPlain, isOnDevice, isFlushed;
};

class Model {
public:
  Model(const char *driverPath, const sinter_model_info &info) : driver(driverPath), path(driverPath), info(info) {
    for (int i = 0; i < info.input_count; ++i)
      inputs.push_back(make(info.inputs[i], true));
    for (int i = 0; i < info.output_count; ++i)
      outputs.push_back(make(info.outputs[i], false));
  }

  void measure(const Way &way, int calls, bool isFirst) {
    sinter_cuda_options options = {};
    options.size = sizeof options;
    options.driver = path;
    options.plain_launches = way.isPlain;
    options.device_tensors = way.isOnDevice;
    m_instance *instance = nullptr;
    Clock::time_point start = Clock::now();
    if (const int status = m_create(&options, &instance))
      fail("create", status, m_error(instance));
    const double create = micros(start);
    bind(way);
    std::vector<double> times;
    double first = 0;
    for (int i = calls > 1 ? -3 : 0; i < calls; ++i) {
      if (way.isFlushed)
        driver.flushL2();
      start = Clock::now();
      const int status =
          m_run_with(instance, reinterpret_cast<const m_inputs *>(in.data()), reinterpret_cast<m_outputs *>(out.data()),
                     way.isOnDevice ? driver.stream : nullptr);
      if (status || (way.isOnDevice && driver.synchronize(driver.stream) != 0))
        fail("a call", status, m_error(instance));
      if (first == 0)
        first = micros(start);
      if (i >= 0)
        times.push_back(micros(start));
    }
    fetch(way);
    m_destroy(instance);
    std::sort(times.begin(), times.end());
    std::printf(
        "%s{\"launches\": \"%s\", \"tensors\": \"%s\", \"l2\": \"%s\", \"create_us\": %.1f, \"first_us\": %.1f, "
        "\"p50_us\": %.2f, \"p99_us\": %.2f, \"calls\": %zu, \"same_bits\": %s}",
        isFirst ? "{\"ways\": [" : ", ", way.isPlain ? "plain" : "graph", way.isOnDevice ? "device" : "host",
        way.isFlushed ? "flushed" : "warm", create, first, times[times.size() / 2], times[(times.size() * 99) / 100],
        times.size(), isSame(isFirst) ? "true" : "false");
  }

  void measureCopies(int times) {
    std::printf("], \"l2_bytes\": %zu, \"copy_gbytes_per_second\": %.1f, \"l2_copy_gbytes_per_second\": %.1f}\n",
                driver.l2Bytes, driver.copySpeed(2 * driver.l2Bytes, times),
                driver.copySpeed(driver.l2Bytes / 8, times));
  }

private:
  /// The structs: pointers, then the largest of each dim.
  void bind(const Way &way) {
    in.assign(size_t(info.input_count + info.dim_count) + 1, 0);
    out.assign(size_t(info.output_count) * 9 + 1, 0); // behind the pointers, sizes that the call writes
    for (int i = 0; i < info.dim_count; ++i)
      in[size_t(info.input_count + i)] = uint64_t(info.dims[i].max);
    auto place = [&](std::vector<char> &bytes) {
      uint64_t pointer = reinterpret_cast<uintptr_t>(bytes.data());
      if (way.isOnDevice && (driver.allocate(&pointer, bytes.size() + 1) != 0 ||
                             driver.toDevice(pointer, bytes.data(), bytes.size(), driver.stream) != 0))
        fail("memory", 0, "there is none on the device");
      return pointer;
    };
    for (size_t i = 0; i < inputs.size(); ++i)
      in[i] = place(inputs[i]);
    for (size_t i = 0; i < outputs.size(); ++i)
      out[i] = place(outputs[i]);
    driver.synchronize(driver.stream);
  }
  void fetch(const Way &way) {
    for (size_t i = 0; way.isOnDevice && i < outputs.size(); ++i)
      driver.toHost(outputs[i].data(), out[i], outputs[i].size(), driver.stream);
    driver.synchronize(driver.stream);
  }
  bool isSame(bool isFirst) {
    if (isFirst)
      expected = outputs;
    return outputs == expected;
  }

  Driver driver;
  const char *path;
  const sinter_model_info &info;
  std::vector<std::vector<char>> inputs, outputs, expected;
  std::vector<uint64_t> in, out;
};
} // namespace

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  const int calls = std::max(1, std::atoi(argv[1]));
  const char *path = argc > 2 ? argv[2] : nullptr;
  // An instance first: it initializes the driver.
  sinter_cuda_options options = {};
  options.size = sizeof options;
  options.driver = path;
  m_instance *first = nullptr;
  if (const int status = m_create(&options, &first))
    fail("create", status, m_error(first));
  Model model(path, *m_info());
  bool isFirst = true;
  for (const Way &way : {Way{false, false, false}, Way{true, false, false}, Way{false, true, false},
                         Way{true, true, false}, Way{false, true, true}}) {
    if (calls == 1 && way.isFlushed)
      continue; // no other way to tools that look for errors
    model.measure(way, calls, isFirst);
    isFirst = false;
  }
  m_destroy(first);
  if (calls > 1)
    model.measureCopies(10);
  else
    std::printf("]}\n");
}
