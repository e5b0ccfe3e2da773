// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An adapter with a name in front of its path, sql=lora/, is switched on and off where the model runs.
#include "driver/read_adapters.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace sinter {

/// Empty: there is none, and the path has all of it. A file may be called so.
static StringRef nameIn(StringRef path) {
  auto [name, rest] = path.split('=');
  bool isName = !rest.empty() && !name.empty() && !isDigit(name.front()) &&
                all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
  return isName && !sys::fs::exists(path) ? name : StringRef();
}

std::vector<std::string> switchedAdapters(ArrayRef<std::string> paths) {
  std::vector<std::string> names;
  for (StringRef path : paths)
    if (StringRef name = nameIn(path); !name.empty())
      names.push_back(name.str());
  return names;
}

ExitStatus readAdapters(CompileJob &job, Diagnostics &diagnostics, std::vector<std::string> &read) {
  job.switched = switchedAdapters(job.adapterPaths);
  int64_t index = 0;
  for (StringRef path : job.adapterPaths) {
    StringRef name = nameIn(path);
    std::optional<Adapter> adapter = readAdapter(name.empty() ? path : path.drop_front(name.size() + 1), diagnostics);
    if (!adapter)
      return ExitModel;
    append_range(read, adapter->files);
    if (!name.empty()) {
      if (!adapter->peft || count(job.switched, name) > 1) {
        diagnostics.report({Code::UnsupportedAdapter,
                            adapter->peft
                                ? ("two adapters are called " + name).str()
                                : ("the adapter " + path + " has values of inputs, which are not switched").str(),
                            {},
                            adapter->peft ? "each has a name of its own, by which it is switched"
                                          : "--overridable keeps such inputs, for the caller's matrices"});
        return ExitModel;
      }
      adapter->switched = AdapterSwitch{name.str(), index++, static_cast<int64_t>(job.switched.size())};
    }
    if (!adapter->peft)
      for (const AdapterTensor &tensor : adapter->tensors)
        job.import.given[tensor.name] = {tensor.type, tensor.dims, tensor.bytes, adapter->bytes};
    else
      job.adapters.push_back(std::make_shared<Adapter>(std::move(*adapter)));
  }
  job.import.namesModules |= !job.adapters.empty();
  if (!job.adapterPaths.empty())
    job.import.shared.found = std::make_shared<llvm::StringSet<>>();
  return ExitOk;
}

} // namespace sinter
