// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry.h"

using namespace mlir;

namespace sinter {

#define SINTER_OP_FILE(stem) void register_##stem(Registry &);
#include "op_list.inc"
#undef SINTER_OP_FILE

void Registry::onOp(StringRef name, std::initializer_list<int64_t> since, StringRef rule, const Lowering &lowering,
                    StringRef domain) {
  std::string problem;
  std::optional<Rule> parsed = parseRule(rule, problem);
  if (!parsed)
    llvm::report_fatal_error("the rule of " + name + ": " + problem, false);
  auto registered = std::make_shared<RegisteredOperator>(RegisteredOperator{lowering, rule.str(), std::move(*parsed)});
  auto &versions = entries[{domain.str(), name.str()}];
  for (int64_t version : since)
    versions[version] = registered;
}

const RegisteredOperator *Registry::find(StringRef domain, StringRef name, int64_t since) const {
  auto found = entries.find({domain.str(), name.str()});
  if (found == entries.end())
    return nullptr;
  auto version = found->second.find(since);
  return version == found->second.end() ? nullptr : version->second.get();
}

static Registry &registryOfAll() {
  static Registry *registry = [] {
    auto *r = new Registry;
#define SINTER_OP_FILE(stem) register_##stem(*r);
#include "op_list.inc"
#undef SINTER_OP_FILE
    return r;
  }();
  return *registry;
}

const Registry &operatorRegistry() { return registryOfAll(); }

void addOperator(StringRef domain, StringRef name, int64_t since, StringRef rule, const Lowering &lowering) {
  registryOfAll().onOp(name, {since}, rule, lowering, domain);
}

} // namespace sinter
