// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_function.h"

#include "codegen/text/element_text.h"
#include "codegen/text/unused_definitions.h"

using namespace mlir;

namespace sinter {

Identifier Structs::declare(StringRef wish, const PrintedCode &members) {
  auto [it, isNew] = byMembers.try_emplace(members.text().str());
  if (isNew) {
    it->second = names.make(wish);
    printed.line("struct ", it->second, " {");
    printed.lines(members);
    printed.line("};");
  }
  return it->second;
}

KernelFunction::KernelFunction(const Values &run, Structs &structs, bool isOnDevice)
    : run(run), structs(structs), onDevice(isOnDevice) {
  // Names of templates and of run-time headers that bodies call must not be hidden by a local.
  for (StringRef taken : {"tag",  "V",     "status", "env", "inShares", "select", "add",   "sub", "mul",  "div",
                          "load", "store", "map",    "exp", "log",      "abs",    "splat", "at",  "call", "cuda"})
    names.fixed(taken);
}

Identifier KernelFunction::parameter(const PrintedCode &type, StringRef wish, const PrintedCode &argument) {
  Identifier name = names.make(wish);
  StringRef space = type.text().ends_with("*") || type.text().ends_with("&") ? "" : " ";
  params.push_back(PrintedCode(type, PrintedCode::trusted(space), name));
  paramNames.push_back(name);
  args.push_back(argument);
  return name;
}

Identifier KernelFunction::pointer(const View &view, StringRef wish, bool written) {
  if (isa<ComplexType>(view.element))
    need("runtime-lite/complex.h");
  else if (isHeldAsFloat(view.element))
    need("runtime-lite/half.h");
  PrintedCode type(memoryText(view.element), " *");
  Identifier name = parameter(written ? type : PrintedCode("const ", type), wish, view.address());
  int64_t bytes = memoryBytes(view.element);
  for (const SizeExpr &size : view.sizes)
    bytes *= size.constant().value_or(0);
  if (view.kind == View::Base::Weights && bytes > 0)
    constants.push_back({name, bytes});
  return name;
}

PrintedCode KernelFunction::readPointer(const View &view, StringRef wish, bool isUnsigned) {
  Identifier elements = pointer(view, wish, false);
  return isUnsigned ? PrintedCode("at<const ", unsignedText(view.element), ">(", elements, ", 0)")
                    : PrintedCode(elements);
}

SizeExpr KernelFunction::local(const SizeExpr &size) {
  for (const Identifier &variable : size.variables())
    if (!sizes.count(variable))
      sizes[variable] = parameter("int64_t", variable.text(), variable);
  return size.rename(sizes);
}

void KernelFunction::dropUnusedSizes() {
  llvm::StringSet<> mentioned =
      namesIn((body.text() + " " + launch.x.text() + " " + launch.y.text() + " " + launch.z.text()).str());
  std::set<Identifier> unused;
  for (const auto &[ofRun, own] : sizes)
    if (!mentioned.contains(own.text()))
      unused.insert(own);
  for (size_t i = params.size(); i-- > 0;)
    if (llvm::any_of(
            unused, [&](const Identifier &name) { return params[i].text() == PrintedCode("int64_t ", name).text(); })) {
      params.erase(params.begin() + static_cast<ptrdiff_t>(i));
      paramNames.erase(paramNames.begin() + static_cast<ptrdiff_t>(i));
      args.erase(args.begin() + static_cast<ptrdiff_t>(i));
    }
}

Identifier KernelFunction::scalar(Value value) {
  auto [it, isNew] = scalars.try_emplace(value);
  if (isNew)
    it->second = parameter(valueText(value.getType()), "s", run.scalar(value));
  return it->second;
}

std::pair<Identifier, Identifier> KernelFunction::share(const SizeExpr &extent, int64_t unit) {
  return share(extent.print(), PrintedCode(unit));
}

std::pair<Identifier, Identifier> KernelFunction::share(const PrintedCode &extent, const PrintedCode &unit) {
  shared = Shares{extent, unit};
  need("runtime-lite/parallel.h");
  Identifier first = parameter("int64_t", "first", "first");
  return {first, parameter("int64_t", "last", "last")};
}

Identifier KernelFunction::shareNumber() {
  if (!numberOfShare)
    numberOfShare = parameter("int64_t", "share", "share");
  return *numberOfShare;
}

void KernelFunction::launchOver(const SizeExpr &items, int64_t threads) {
  launch.threads = threads;
  if (std::optional<int64_t> count = items.constant())
    launch.x = (*count + threads - 1) / threads;
  else
    launch.x = PrintedCode("blocksOf(", items.print(), ", ", threads, ")");
}

PrintedCode KernelFunction::call(const Identifier &name, int threads) const {
  if (onDevice)
    return args.empty() ? PrintedCode(name, "(call)") : PrintedCode(name, "(call, ", arguments(), ")");
  PrintedCode plain(name, "(", arguments(), ")");
  if (!isShared())
    return plain;
  PrintedCode head("inShares"), parameters("int64_t first, int64_t last");
  if (numberOfShare) {
    head = "inNumberedShares";
    parameters = PrintedCode(parameters, ", int64_t share");
  }
  return PrintedCode(head, "(env.parallel, ", threads, ", ", shared->extent, ", ", shared->unit, ", [&](", parameters,
                     ") { ", plain, "; })");
}

PrintedCode KernelFunction::status() {
  if (!usesStatus) {
    usesStatus = true;
    params.push_back(onDevice ? PrintedCode("int *statusWord") : PrintedCode("int &status"));
    paramNames.push_back(onDevice ? PrintedCode("statusWord") : PrintedCode("status"));
    args.push_back(onDevice ? PrintedCode("call.statusWord()") : PrintedCode("status"));
    need("runtime-lite/index.h");
  }
  return "status";
}

} // namespace sinter
