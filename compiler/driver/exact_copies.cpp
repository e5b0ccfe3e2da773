// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/exact_copies.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {
namespace {

constexpr StringRef statesFlag = "states";

/// "seq=1,128"
std::optional<std::string> parseFlag(StringRef flag, const llvm::StringMap<DimValue> &dims, std::string &name,
                                     std::vector<int64_t> &sizes) {
  auto [dim, list] = flag.rsplit('=');
  std::string shown = "--specialize " + flag.str();
  if (dim.empty() || list.empty())
    return shown + " is not NAME=N, NAME=N,N or states";
  auto bounds = dims.find(dim);
  if (bounds == dims.end())
    bounds = dims.find("*");
  if (bounds == dims.end() || bounds->second.min >= bounds->second.max)
    return shown + ": --dim gives that dim no bounds, such as --dim " + dim.str() + "=1..128";
  name = dim.str();
  for (StringRef text : llvm::split(list, ',')) {
    int64_t size;
    if (text.getAsInteger(10, size))
      return shown + ": '" + text.str() + "' is no size";
    if (size < bounds->second.min || size > bounds->second.max)
      return shown + ": " + text.str() + " is not within the bounds of --dim, " + std::to_string(bounds->second.min) +
             " to " + std::to_string(bounds->second.max);
    if (!llvm::is_contained(sizes, size))
      sizes.push_back(size);
  }
  return std::nullopt;
}

std::string copyText(const ExactCopy &copy) {
  std::string text = copy.onlyStates ? statesFlag.str() : "";
  for (const auto &[name, size] : copy.dims)
    text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(size);
  return text;
}

/// The dims of inputs, by input and place: a name, or a number.
SmallVector<DictionaryAttr> inputsOf(ModuleOp module) {
  auto inputs = module.lookupSymbol("main")->getAttrOfType<ArrayAttr>("sinter.inputs");
  return inputs ? llvm::to_vector(inputs.getAsRange<DictionaryAttr>()) : SmallVector<DictionaryAttr>();
}

/// Of a state that grows the dim says how much of the buffer is in use; what lies in it is the same for all.
std::optional<Problem> growingDimAmong(const ExactCopy &copy, ModuleOp whole) {
  for (DictionaryAttr input : inputsOf(whole)) {
    auto growing = input.getAs<IntegerAttr>("grows");
    if (!growing)
      continue;
    auto axis = static_cast<size_t>(growing.getInt());
    auto symbol = dyn_cast<StringAttr>(input.getAs<ArrayAttr>("dims")[axis]);
    std::string place = (input.getAs<StringAttr>("name").getValue() + ":" + llvm::Twine(axis)).str();
    for (StringRef name : llvm::make_first_range(copy.dims))
      if (name == place || (symbol && name == symbol.getValue()))
        return Problem{Code::DimConflict,
                       "--specialize " + copyText(copy) + ": that is how much of a growing state is in use",
                       {},
                       "specialize the dim of what a call adds"};
  }
  return std::nullopt;
}

size_t outputsOf(ModuleOp module) {
  auto outputs = module.lookupSymbol("main")->getAttrOfType<ArrayAttr>("sinter.outputs");
  return outputs ? outputs.size() : 0;
}

/// Whether the copy has a number where the whole has the name of a dim, or no outputs: by that a call chooses.
std::optional<Problem> nothingToChooseBy(const ExactCopy &copy, ModuleOp whole, ModuleOp planned) {
  if (copy.onlyStates) {
    bool hasStates = llvm::any_of(inputsOf(whole), [](DictionaryAttr input) { return input.contains("state"); });
    if (hasStates && outputsOf(whole) > 0)
      return std::nullopt;
    return Problem{Code::UnknownDim,
                   hasStates ? "--specialize states: the model has no outputs but states"
                             : "--specialize states: the model has no states",
                   {},
                   hasStates ? "every call is of states alone" : "--state OUT=IN makes states of outputs and inputs"};
  }
  for (auto [input, exact] : llvm::zip(inputsOf(whole), inputsOf(planned))) {
    auto sizes = input.getAs<ArrayAttr>("dims"), exactSizes = exact.getAs<ArrayAttr>("dims");
    if (sizes && exactSizes)
      for (auto [size, exactSize] : llvm::zip(sizes, exactSizes))
        if (isa<StringAttr>(size) && isa<IntegerAttr>(exactSize))
          return std::nullopt;
  }
  return Problem{Code::UnknownDim,
                 "--specialize " + copyText(copy) + " names no dim of an input",
                 {},
                 "a call chooses its copy by the dims that its inputs have"};
}

} // namespace

std::optional<std::string> parseExactCopies(ArrayRef<std::string> flags, const llvm::StringMap<DimValue> &dims,
                                            std::vector<ExactCopy> &copies) {
  constexpr size_t most = 64;
  bool hasStates = llvm::is_contained(flags, statesFlag);
  for (const std::string &flag : flags) {
    if (flag == statesFlag)
      continue;
    std::string name;
    std::vector<int64_t> sizes;
    if (std::optional<std::string> problem = parseFlag(flag, dims, name, sizes))
      return problem;
    std::vector<ExactCopy> combined;
    for (const ExactCopy &before : copies.empty() ? std::vector<ExactCopy>(1) : copies) {
      if (llvm::is_contained(llvm::make_first_range(before.dims), name))
        return "--specialize " + flag + ": sizes of one dim stand in one flag, such as " + name + "=1,128";
      for (int64_t size : sizes) {
        combined.push_back(before);
        combined.back().dims.emplace_back(name, size);
      }
    }
    copies = std::move(combined);
    if (copies.size() > most)
      return "--specialize makes " + std::to_string(copies.size()) + " copies, one for each combination of sizes; " +
             std::to_string(most) + " are the most";
  }
  if (hasStates)
    copies.insert(copies.begin(), ExactCopy{{}, true});
  return std::nullopt;
}

/// Plans the copies of a program for all sizes.
static ExitStatus planExactCopies(const CompileJob &job, ModuleOp whole, Diagnostics &diagnostics,
                                  std::vector<PlannedModel> &copies) {
  for (const ExactCopy &copy : job.exactCopies) {
    if (std::optional<Problem> problem = growingDimAmong(copy, whole)) {
      diagnostics.report(*problem);
      return ExitModel;
    }
    CompileJob exact = job;
    exact.onlyStates = copy.onlyStates;
    for (const auto &[name, size] : copy.dims)
      exact.import.dims[name] = {size, size};
    Diagnostics own; // its notes are those of the whole program
    ExitStatus status = planModel(exact, *whole.getContext(), own, copies.emplace_back());
    if (status == ExitOk)
      if (std::optional<Problem> problem = nothingToChooseBy(copy, whole, *copies.back().module)) {
        diagnostics.report(*problem);
        return ExitModel;
      }
    for (Problem problem : own.all()) {
      problem.message += " (in the copy of --specialize " + copyText(copy) + ")";
      diagnostics.report(std::move(problem));
    }
    if (status != ExitOk)
      return status;
  }
  return ExitOk;
}

ExitStatus planPrograms(const CompileJob &job, MLIRContext &context, Diagnostics &diagnostics,
                        std::vector<PlannedModel> &programs) {
  auto planFor = [&](const CompileJob &ofCpu, Diagnostics &said) {
    size_t whole = programs.size();
    ExitStatus status = planModel(ofCpu, context, said, programs.emplace_back());
    if (status != ExitOk)
      return status;
    ModuleOp module = *programs[whole].module;
    return planExactCopies(ofCpu, module, said, programs);
  };
  ExitStatus status = planFor(job, diagnostics);
  for (size_t i = 0; status == ExitOk && i < job.codegen.otherCpus.size(); ++i) {
    CompileJob ofCpu = job;
    ofCpu.codegen.target = job.codegen.otherCpus[i];
    Diagnostics own; // its notes are those of the first CPU
    status = planFor(ofCpu, own);
    if (status != ExitOk)
      for (Problem problem : own.all()) {
        problem.message += " (for " + ofCpu.codegen.target.name + ")";
        diagnostics.report(std::move(problem));
      }
  }
  return status;
}

} // namespace sinter
