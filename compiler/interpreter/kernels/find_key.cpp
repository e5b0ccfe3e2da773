// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "templates/selection/find_key.h"
#include "interpreter/kernel_call.h"

namespace sinter {

/// Strings as generated code holds them.
static std::vector<sinter_string> viewsOf(llvm::ArrayRef<std::string> texts) {
  std::vector<sinter_string> views;
  for (const std::string &text : texts)
    views.push_back({text.data(), text.size()});
  return views;
}

bool interpret_find_key(KernelCall &call) {
  if (call.inputs[0].kind() == ElementKind::String) {
    std::vector<sinter_string> x = viewsOf(call.inputs[0].strings()), keys = viewsOf(call.inputs[1].strings());
    findKey<sinter_string>({x.data(), {call.inputs[0].size()}, {1}}, {keys.data(), {call.inputs[1].size()}, {1}},
                           call.out<int64_t, 1>(0));
    return true;
  }
  return withElement(call.inputs[0], call.isUnsigned(0), [&](auto type) {
    using T = typename decltype(type)::Type;
    findKey(call.in<T, 1>(0), call.in<T, 1>(1), call.out<int64_t, 1>(0));
    return true;
  });
}
} // namespace sinter
