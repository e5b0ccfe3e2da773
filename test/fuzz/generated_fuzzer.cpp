// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hostile calls of a compiled model: any sizes, near their bounds mostly, and any values, on buffers of exactly the
// bytes that the contract asks for, under the sanitizers. Each call ends with a status that docs/output-format.md
// names: 3 for sizes outside. generated.py builds it for each net of nets/, with libFuzzer or with the main function
// below.
#include "call.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

namespace {
/// Numbers out of the fuzzer's bytes; behind their end, out of a generator that they seed.
class Source {
public:
  Source(const uint8_t *data, size_t size) : next(data), end(data + size) {
    uint32_t seed = 1;
    for (size_t i = 0; i < size; ++i)
      seed = seed * 16777619u ^ data[i];
    random.seed(seed);
  }
  uint8_t byte() { return next == end ? static_cast<uint8_t>(random()) : *next++; }
  uint64_t word() {
    uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
      value = value << 8 | byte();
    return value;
  }
  /// Small mostly, an end of its type now and then, else anything.
  int64_t integer() {
    const int64_t ends[] = {INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX, INT64_MIN + 1, INT64_MAX - 1, int64_t(1) << 32};
    const uint8_t kind = byte();
    if (kind < 200)
      return static_cast<int64_t>(byte() % 16) - 4;
    if (kind < 240)
      return ends[byte() % 7];
    return static_cast<int64_t>(word());
  }
  double real() {
    const double ends[] = {NAN, INFINITY, -INFINITY, -0.0, 1e308, 3e38, -3e38, 1e-45, 9.3e18, -2147483648.5, 255.5};
    const uint8_t kind = byte();
    if (kind < 200)
      return (static_cast<double>(byte()) - 64) / 8;
    return kind < 240 ? ends[byte() % 11] : static_cast<double>(static_cast<int64_t>(word()));
  }

private:
  const uint8_t *next, *end;
  std::mt19937 random;
};

template <class T>
void fill(Buffer &buffer, Source &source) {
  for (size_t at = 0; at + sizeof(T) <= buffer.bytes(); at += sizeof(T)) {
    T value;
    if constexpr (std::is_floating_point_v<T>)
      value = static_cast<T>(source.real());
    else
      value = static_cast<T>(source.integer());
    memcpy(buffer.block.data() + at, &value, sizeof value);
  }
}

void fillWith(Buffer &buffer, int type, Source &source) {
  switch (type) {
  case 1:
    return fill<float>(buffer, source);
  case 11:
    return fill<double>(buffer, source);
  case 7:
  case 13:
    return fill<int64_t>(buffer, source);
  case 6:
  case 12:
    return fill<int32_t>(buffer, source);
  case 9: // bool is 0 or 1
    for (size_t i = 0; i < buffer.bytes(); ++i)
      buffer.block.data()[i] = static_cast<char>(source.byte() & 1);
    return;
  case stringType: {
    buffer.strings.resize(static_cast<size_t>(buffer.count()));
    auto *elements = static_cast<sinter_string *>(buffer.data());
    for (size_t i = 0; i < buffer.strings.size(); ++i) {
      buffer.strings[i].resize(source.byte() % 4u);
      const char letter = static_cast<char>('a' + source.byte() % 3);
      for (char &each : buffer.strings[i])
        each = letter;
      elements[i] = {buffer.strings[i].data(), buffer.strings[i].size()};
    }
    return;
  }
  default:
    return fill<int8_t>(buffer, source);
  }
}

[[noreturn]] void fail(const char *what, int64_t number) {
  std::fprintf(stderr, "%s: %lld\n", what, static_cast<long long>(number));
  abort();
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Source source(data, size);
  const sinter_model_info &info = *modelInfo();
  std::vector<int64_t> sizes;
  bool isOutside = false;
  for (int i = 0; i < info.dim_count; ++i) {
    const sinter_dim_info &dim = info.dims[i];
    const int64_t any[] = {dim.min, dim.max, dim.min + source.byte() % (dim.max - dim.min + 1)};
    const uint8_t kind = source.byte();
    const int64_t out[] = {dim.min - 1, dim.max + 1, source.integer()};
    sizes.push_back(kind < 240 ? any[kind % 3] : out[kind % 3]);
    isOutside |= sizes.back() < dim.min || sizes.back() > dim.max;
  }
  Call call;
  call.inputs.resize(static_cast<size_t>(info.input_count));
  call.outputs.resize(static_cast<size_t>(info.output_count));
  for (int i = 0; i < info.input_count; ++i) {
    Buffer &buffer = call.inputs[static_cast<size_t>(i)];
    for (int d = 0; d < info.inputs[i].rank; ++d) {
      const int symbol = symbolOf(info.inputs[i], d);
      const bool isSymbolic = symbol >= 0 && !isOutside;
      buffer.dims.push_back(isSymbolic ? sizes[static_cast<size_t>(symbol)] : symbol >= 0 ? 0 : info.inputs[i].dims[d]);
    }
    buffer.allocate(info.inputs[i], source.byte() & 1);
    fillWith(buffer, info.inputs[i].element_type, source);
  }
  call.bind(info, source.byte() & 1);
  std::copy(sizes.begin(), sizes.end(), call.dims(info));
  call.fillArena(info);
  const int status = modelRun(call.in.data(), call.out.data(), &call.env);
  const bool isOfData = (status >= 3 && status <= 5) || status == 8;
  if ((status != 0 && !isOfData) || (isOutside && status != 3))
    fail("status", status);
  if (status != 0)
    return 0;
  call.takeSizes(info);
  for (int i = 0; i < info.output_count; ++i)
    for (int d = 0; d < info.outputs[i].rank; ++d)
      if (const int64_t dim = call.outputs[static_cast<size_t>(i)].dims[static_cast<size_t>(d)];
          dim < 0 || dim > largest(info.outputs[i], d))
        fail("a size that the call wrote", dim);
  return 0;
}

#ifndef SINTER_LIBFUZZER
/// As many calls as said, the same each time; how they ended is told.
int main(int argc, char **argv) {
  const int calls = argc > 1 ? std::atoi(argv[1]) : 1000, first = argc > 2 ? std::atoi(argv[2]) : 0;
  for (int i = first; i < first + calls; ++i) {
    uint8_t seed[4];
    memcpy(seed, &i, sizeof seed);
    LLVMFuzzerTestOneInput(seed, sizeof seed);
  }
  std::printf("%d calls\n", calls);
  return 0;
}
#endif
