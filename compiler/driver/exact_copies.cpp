// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/exact_copies.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sinter {
namespace {

/// "seq=1,128"
std::optional<std::string> parseFlag(StringRef flag, const llvm::StringMap<DimValue> &dims, std::string &name,
                                     std::vector<int64_t> &sizes) {
  auto [dim, list] = flag.rsplit('=');
  std::string shown = "--specialize " + flag.str();
  if (dim.empty() || list.empty())
    return shown + " is not NAME=N or NAME=N,N";
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

std::string sizesText(const ExactDims &dims) {
  std::string text;
  for (const auto &[name, size] : dims)
    text += (text.empty() ? "" : ", ") + name + "=" + std::to_string(size);
  return text;
}

/// The dims of inputs, by input and place: a name, or a number.
SmallVector<DictionaryAttr> inputsOf(ModuleOp module) {
  auto inputs = module.lookupSymbol("main")->getAttrOfType<ArrayAttr>("sinter.inputs");
  return inputs ? llvm::to_vector(inputs.getAsRange<DictionaryAttr>()) : SmallVector<DictionaryAttr>();
}

/// Of a state that grows the dim says how much of the buffer is in use; what lies in it is the same for all.
std::optional<Problem> growingDimAmong(const ExactDims &dims, ModuleOp whole) {
  for (DictionaryAttr input : inputsOf(whole)) {
    auto growing = input.getAs<IntegerAttr>("grows");
    if (!growing)
      continue;
    auto axis = static_cast<size_t>(growing.getInt());
    auto symbol = dyn_cast<StringAttr>(input.getAs<ArrayAttr>("dims")[axis]);
    std::string place = (input.getAs<StringAttr>("name").getValue() + ":" + llvm::Twine(axis)).str();
    for (StringRef name : llvm::make_first_range(dims))
      if (name == place || (symbol && name == symbol.getValue()))
        return Problem{Code::DimConflict,
                       "--specialize " + sizesText(dims) + ": that is how much of a growing state is in use",
                       {},
                       "specialize the dim of what a call adds"};
  }
  return std::nullopt;
}

/// Whether the copy has a number where the whole has the name of a dim: by that a call chooses.
std::optional<Problem> nothingToChooseBy(const ExactDims &dims, ModuleOp whole, ModuleOp copy) {
  for (auto [input, exact] : llvm::zip(inputsOf(whole), inputsOf(copy))) {
    auto sizes = input.getAs<ArrayAttr>("dims"), exactSizes = exact.getAs<ArrayAttr>("dims");
    if (sizes && exactSizes)
      for (auto [size, exactSize] : llvm::zip(sizes, exactSizes))
        if (isa<StringAttr>(size) && isa<IntegerAttr>(exactSize))
          return std::nullopt;
  }
  return Problem{Code::UnknownDim,
                 "--specialize " + sizesText(dims) + " names no dim of an input",
                 {},
                 "a call chooses its copy by the dims that its inputs have"};
}

} // namespace

std::optional<std::string> parseExactCopies(ArrayRef<std::string> flags, const llvm::StringMap<DimValue> &dims,
                                            std::vector<ExactDims> &copies) {
  constexpr size_t most = 64;
  for (const std::string &flag : flags) {
    std::string name;
    std::vector<int64_t> sizes;
    if (std::optional<std::string> problem = parseFlag(flag, dims, name, sizes))
      return problem;
    std::vector<ExactDims> combined;
    for (const ExactDims &before : copies.empty() ? std::vector<ExactDims>(1) : copies) {
      if (llvm::is_contained(llvm::make_first_range(before), name))
        return "--specialize " + flag + ": sizes of one dim stand in one flag, such as " + name + "=1,128";
      for (int64_t size : sizes) {
        combined.push_back(before);
        combined.back().emplace_back(name, size);
      }
    }
    copies = std::move(combined);
    if (copies.size() > most)
      return "--specialize makes " + std::to_string(copies.size()) + " copies, one for each combination of sizes; " +
             std::to_string(most) + " are the most";
  }
  return std::nullopt;
}

/// Plans the copies of a program for all sizes.
static ExitStatus planExactCopies(const CompileJob &job, ModuleOp whole, Diagnostics &diagnostics,
                                  std::vector<PlannedModel> &copies) {
  for (const ExactDims &dims : job.exactCopies) {
    if (std::optional<Problem> problem = growingDimAmong(dims, whole)) {
      diagnostics.report(*problem);
      return ExitModel;
    }
    CompileJob exact = job;
    for (const auto &[name, size] : dims)
      exact.import.dims[name] = {size, size};
    Diagnostics own; // its notes are those of the whole program
    ExitStatus status = planModel(exact, *whole.getContext(), own, copies.emplace_back());
    if (status == ExitOk)
      if (std::optional<Problem> problem = nothingToChooseBy(dims, whole, *copies.back().module)) {
        diagnostics.report(*problem);
        return ExitModel;
      }
    for (Problem problem : own.all()) {
      problem.message += " (in the copy of --specialize " + sizesText(dims) + ")";
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
