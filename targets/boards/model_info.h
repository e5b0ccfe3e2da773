// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What both runners, runner.cpp on operating systems and board_runner.cpp on microcontrollers, know of a model: sizes
// and order of its tensors, and its description for the driver. It needs no library. SINTER_PREFIX names the model.
#pragma once

#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define modelInfo JOIN(SINTER_PREFIX, _info)

#ifdef SINTER_TYPES_1 // the model's header is there
#define modelRun JOIN(SINTER_PREFIX, _run_with)
using ModelInputs = JOIN(SINTER_PREFIX, _inputs);
using ModelOutputs = JOIN(SINTER_PREFIX, _outputs);
#else
#include "types.h"
using ModelInputs = void;
using ModelOutputs = void;

extern "C" const sinter_model_info *modelInfo(void);

#if defined(SINTER_ON_GPU)
#include "gpu.h"
#define modelRun runOnGpu
#else
#define modelRun JOIN(SINTER_PREFIX, _run_with)
extern "C" int modelRun(const void *inputs, void *outputs, const sinter_env *env);
#endif
#endif

constexpr int stringType = 8;

/// Bits of an element of that TensorProto type, as the ABI holds it.
inline int64_t bitsOf(int type) {
  static const uint8_t bits[] = {0,   32, 8, 8, 16, 16, 32, 64, 128, 8, 16, 64, 32, 64, 64,
                                 128, 16, 8, 8, 8,  8,  4,  4,  4,   8, 2,  2,  8,  8};
  return bits[type];
}

/// Bytes of so many elements; of strings, of the structs that point to them.
inline size_t bytesOf(int type, int64_t count) {
  const int64_t bytes =
      type == stringType ? count * static_cast<int64_t>(sizeof(sinter_string)) : (count * bitsOf(type) + 7) / 8;
  return static_cast<size_t>(bytes);
}

inline bool isSame(const char *a, const char *b) {
  const size_t size = strlen(a);
  return strlen(b) == size && memcmp(a, b, size) == 0;
}

/// Along dim `d` the tensor, a state, is a buffer of fixed size, of which the call uses a part.
inline bool isGrowing(const sinter_tensor_info &tensor, int d) {
  return tensor.dims[d] >= 0 && tensor.dim_names && tensor.dim_names[d];
}

/// Index of the model's symbolic dim that is dim `d` of a tensor; -1: fixed, -2: computed by the call.
inline int symbolOf(const sinter_tensor_info &tensor, int d) {
  if (tensor.dims[d] >= 0 && !isGrowing(tensor, d))
    return -1;
  const sinter_model_info &model = *modelInfo();
  for (int i = 0; tensor.dim_names && tensor.dim_names[d] && i < model.dim_count; ++i)
    if (isSame(tensor.dim_names[d], model.dims[i].name))
      return i;
  return -2;
}

inline int64_t largest(const sinter_tensor_info &tensor, int d) {
  const int symbol = symbolOf(tensor, d);
  if (symbol >= 0)
    return modelInfo()->dims[symbol].max;
  return tensor.max_dims ? tensor.max_dims[d] : tensor.dims[d];
}

/// A state of which the call says how much of it is in use.
inline bool isGrowing(const sinter_tensor_info &tensor) {
  for (int d = 0; d < tensor.rank; ++d)
    if (isGrowing(tensor, d))
      return true;
  return false;
}

/// How many elements the memory of a tensor holds, of which the call uses `dims`.
inline int64_t heldCount(const sinter_tensor_info &tensor, const int64_t *dims) {
  int64_t count = 1;
  for (int d = 0; d < tensor.rank; ++d)
    count *= isGrowing(tensor, d) ? tensor.dims[d] : dims[d];
  return count;
}

/// Calls function(offset, bytes) with each part of a tensor's memory that holds nothing but elements in use: all of it,
/// of a growing state the rows in use of each block of rows.
template <class Function>
void forEachPart(const sinter_tensor_info &tensor, const int64_t *dims, Function function) {
  int64_t blocks = 1, used = 1, held = 1;
  for (int d = 0, behind = 0; d < tensor.rank; ++d) {
    behind = behind || isGrowing(tensor, d);
    if (!behind && isGrowing(tensor)) {
      blocks *= dims[d];
      continue;
    }
    used *= dims[d];
    held *= isGrowing(tensor, d) ? tensor.dims[d] : dims[d];
  }
  for (int64_t block = 0; block < blocks; ++block)
    function(bytesOf(tensor.element_type, block * held), bytesOf(tensor.element_type, used));
}

inline bool isStatic(const sinter_tensor_info &tensor) {
  for (int d = 0; d < tensor.rank; ++d)
    if (tensor.dims[d] < 0)
      return false;
  return true;
}

/// An output of the graph: a member of the outputs struct, or state, which lies in an input.
struct Result {
  const sinter_tensor_info *info;
  bool isState;
  int index; // among the inputs, if state, else among the outputs

  const char *name() const { return isState ? info->state : info->name; }
  size_t nameSize() const { return isState ? info->state_size : info->name_size; }
};

/// All of them, in the graph's order.
template <class Function>
void forEachResult(Function function) {
  const sinter_model_info &model = *modelInfo();
  int states = 0;
  for (int i = 0; i < model.input_count; ++i)
    states += model.inputs[i].state ? 1 : 0;
  int output = 0;
  for (int place = 0; place < model.output_count + states; ++place) {
    int input = 0;
    while (input < model.input_count && !(model.inputs[input].state && model.inputs[input].state_index == place))
      ++input;
    if (input < model.input_count) {
      function(Result{&model.inputs[input], true, input});
    } else {
      function(Result{&model.outputs[output], false, output});
      ++output;
    }
  }
}

/// Writes the description, JSON, piece by piece: Sink is called with (const char *, size_t).
template <class Sink>
class Description {
public:
  explicit Description(Sink &sink) : sink(sink) {}

  void write() {
    const sinter_model_info &info = *modelInfo();
    text("{\"sha256\":");
    quoted(info.model_sha256, strlen(info.model_sha256));
    text(",\"arena\":");
    number(static_cast<int64_t>(info.arena_bytes));
    text(",\"weights\":");
    number(static_cast<int64_t>(info.weights_bytes));
    text(",\"inputs\":[");
    for (int i = 0; i < info.input_count; ++i)
      tensor(Result{&info.inputs[i], false, i});
    text("],\"outputs\":[");
    isFirst = true;
    forEachResult([this](const Result &result) { tensor(result); });
    text("],\"dims\":[");
    for (int i = 0; i < info.dim_count; ++i) {
      text(i ? ",{\"name\":" : "{\"name\":");
      quoted(info.dims[i].name, strlen(info.dims[i].name));
      text(",\"min\":");
      number(info.dims[i].min);
      text(",\"max\":");
      number(info.dims[i].max);
      text("}");
    }
    text("],\"kernels\":[");
    for (int i = 0; i < info.kernel_count; ++i) {
      text(i ? ",{\"name\":" : "{\"name\":");
      quoted(info.kernels[i].name, strlen(info.kernels[i].name));
      text(",\"nodes\":");
      quoted(info.kernels[i].nodes, strlen(info.kernels[i].nodes));
      text("}");
    }
    text("]}\n");
  }

private:
  void text(const char *piece) { sink(piece, strlen(piece)); }

  void number(int64_t value) {
    char digits[21];
    char *at = digits + sizeof digits;
    uint64_t rest = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    do {
      *--at = static_cast<char>('0' + static_cast<int>(rest % 10));
      rest /= 10;
    } while (rest != 0);
    if (value < 0)
      *--at = '-';
    sink(at, static_cast<size_t>(digits + sizeof digits - at));
  }

  void quoted(const char *piece, size_t size) {
    static const char hex[] = "0123456789abcdef";
    text("\"");
    size_t plain = 0; // where what needs no escapes begins
    for (size_t i = 0; i < size; ++i) {
      const auto c = static_cast<unsigned char>(piece[i]);
      if (c >= 32 && c != '"' && c != '\\')
        continue;
      const char escaped[] = {'\\', 'u', '0', '0', hex[c / 16], hex[c % 16]};
      sink(piece + plain, i - plain);
      sink(escaped, sizeof escaped);
      plain = i + 1;
    }
    sink(piece + plain, size - plain);
    text("\"");
  }

  void tensor(const Result &result) {
    const sinter_tensor_info &info = *result.info;
    text(isFirst ? "{\"name\":" : ",{\"name\":");
    isFirst = false;
    quoted(result.name(), result.nameSize());
    text(",\"type\":");
    number(info.element_type);
    text(",\"dims\":[");
    for (int d = 0; d < info.rank; ++d) {
      text(d ? "," : "");
      number(largest(info, d));
    }
    text("],\"symbols\":[");
    for (int d = 0; d < info.rank; ++d) {
      text(d ? "," : "");
      number(symbolOf(info, d));
    }
    text("],\"state\":");
    number(info.state ? info.state_index : -1);
    int64_t growing = -1;
    for (int d = 0; d < info.rank; ++d)
      growing = isGrowing(info, d) ? d : growing;
    text(",\"grows\":");
    number(growing);
    uint32_t scale;
    memcpy(&scale, &info.scale, sizeof scale);
    text(",\"scale_bits\":");
    number(scale);
    text(",\"zero_point\":");
    number(info.zero_point);
    text(",\"arena_offset\":");
    number(info.arena_offset);
    text(",\"part\":");
    quoted(info.part ? info.part : "", info.part ? strlen(info.part) : 0);
    text("}");
  }

  Sink &sink;
  bool isFirst = true;
};
