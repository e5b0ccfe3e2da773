// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "state.h"

namespace sinter::fake {

State &state() {
  static State the;
  return the;
}

std::vector<CuContext> &contextStack() {
  thread_local std::vector<CuContext> stack;
  return stack;
}

void State::reset(const std::vector<FakeDevice> &devices) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  for (Context &context : contexts)
    discard(context);
  kernels.clear();
  failures.clear();
  callCounts.clear();
  found.clear();
  contextStack().clear();
  contexts.clear();
  for (const FakeDevice &device : devices)
    contexts.push_back({device, 0, 0, 0});
}

void State::discard(Context &context) {
  freeAll(&context);
  const auto drop = [&](auto &objects) {
    for (auto each = objects.begin(); each != objects.end();)
      each = each->second->owner == &context ? objects.erase(each) : std::next(each);
  };
  drop(execs);
  drop(graphs);
  drop(streams);
  drop(modules);
  context.lasting = 0;
}

Context *State::current() {
  return contextStack().empty() ? nullptr : reinterpret_cast<Context *>(contextStack().back());
}

bool State::isOwn(const Context *owner, const char *what) {
  if (owner == current())
    return true;
  mistake(std::string(what) + " of another GPU", 0);
  return false;
}

void State::addKernel(FakeKernel kernel) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  kernels.push_back(std::make_unique<FakeKernel>(std::move(kernel)));
}

void State::failAt(const std::string &function, int nth, int result) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  failures[function][callCounts[function] + nth] = result;
}

int State::calls(const std::string &function) const {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  auto found = callCounts.find(function);
  return found == callCounts.end() ? 0 : found->second;
}

std::vector<std::string> State::calledFunctions() const {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  std::vector<std::string> names;
  for (const auto &[name, count] : callCounts)
    if (count)
      names.push_back(name);
  return names;
}

void State::clearCalls() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  callCounts.clear();
  failures.clear();
}

FakeLive State::live() const {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  FakeLive counts;
  for (const Context &context : contexts)
    counts.contexts += context.retained;
  counts.modules = static_cast<int>(modules.size());
  counts.streams = static_cast<int>(streams.size());
  counts.allocations = static_cast<int>(allocations.size());
  counts.hostAllocations = static_cast<int>(hostAllocations.size());
  counts.graphs = static_cast<int>(graphs.size());
  counts.execs = static_cast<int>(execs.size());
  return counts;
}

int State::contextDepth() const { return static_cast<int>(contextStack().size()); }

CuResult State::enter(const char *function, bool needsContext) {
  const int call = ++callCounts[function];
  auto wished = failures.find(function);
  if (wished != failures.end()) {
    auto now = wished->second.find(call);
    if (now != wished->second.end()) {
      if (now->second >= 700 && now->second < 720 && current())
        current()->lasting = now->second;
      return now->second;
    }
  }
  if (!needsContext)
    return kSuccess;
  if (!current())
    return mistake(std::string(function) + " without a context", kInvalidContext);
  return current()->lasting;
}

CuResult State::mistake(const std::string &text, CuResult result) {
  found.push_back(text);
  return result;
}

} // namespace sinter::fake

extern "C" __attribute__((visibility("default"))) sinter::FakeDriver *sinterFakeDriver() {
  return &sinter::fake::state();
}
