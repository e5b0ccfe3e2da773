// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/model_flags.h"

#include "driver/decoder_folder.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace sinter {

/// "batch=4", "seq=1..128", "input:0=1..8", "total=past+seq".
static bool parseDim(StringRef text, CompileJob &job) {
  auto [name, value] = text.rsplit('=');
  auto [low, high] = value.split("..");
  DimValue range;
  if (name.empty())
    return false;
  if (low.getAsInteger(10, range.min)) {
    std::optional<NamedPolynomial> polynomial = parseNamedPolynomial(value);
    if (value.contains("..") || name == "*" || !polynomial)
      return false;
    job.polynomials[name] = *polynomial;
    return true;
  }
  range.max = range.min;
  if (value.contains("..") && high.getAsInteger(10, range.max))
    return false;
  if (range.min < 0 || range.max < range.min)
    return false;
  job.import.dims[name] = range;
  return true;
}

bool ModelFlags::toImport(CompileJob &job) const {
  auto fail = [](const Twine &message) {
    printError(message);
    return false;
  };
  std::optional<std::string> file = modelFileAt(model);
  if (!file && sys::fs::is_directory(model)) {
    printError(model + " is a folder, not a model", filesToName(model));
    return false;
  }
  if (!file)
    return fail(model + ": no such file");
  job.model = *file;
  for (const std::string &dim : dims)
    if (!parseDim(dim, job))
      return fail("--dim " + dim + " is not NAME=N, NAME=MIN..MAX or NAME=DIM+DIM");
  for (const auto &polynomial : job.polynomials)
    if (job.import.dims.contains(polynomial.getKey()))
      return fail("--dim " + polynomial.getKey() + " is given twice, as a size and as a polynomial of others");
  if (!expandLimit.empty()) {
    uint64_t nodes;
    if (StringRef(expandLimit).getAsInteger(10, nodes))
      return fail("--expand-limit " + expandLimit + " is not a number of nodes");
    job.import.limits.expandedNodes = job.import.limits.expandedAtLeast = nodes;
  }
  if (!customOps.addOperators())
    return false;
  customOps.toJob(job);
  job.import.externalRoots.assign(externalRoots.begin(), externalRoots.end());
  job.import.untrusted = untrusted;
  job.import.strict = strict;
  if (dimsAs == "cmake")
    job.import.dimSpelling = DimSpelling::CMake;
  else if (dimsAs == "python")
    job.import.dimSpelling = DimSpelling::Python;
  else if (!dimsAs.empty() && dimsAs != "flags")
    return fail("--dims-as " + dimsAs + " is neither flags nor cmake nor python");
  return true;
}

} // namespace sinter
