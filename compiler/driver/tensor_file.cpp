// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading a tensor from a file of any of the known kinds, and holding it against what the model expects.
#include "driver/tensor_file.h"

#include "support/given_file.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace sinter {

std::optional<HostArray> readTensorFile(StringRef path, ElementType expected, ArrayRef<int64_t> expectedDims,
                                        std::string &problem) {
  auto fail = [&](const Twine &what) {
    problem = (path + ": " + what).str();
    return std::nullopt;
  };
  Expected<std::unique_ptr<MemoryBuffer>> file = readGiven(path);
  if (!file) {
    problem = toString(file.takeError());
    return std::nullopt;
  }
  StringRef bytes = (*file)->getBuffer();
  std::optional<HostArray> array;
  std::string detail;
  if (path.ends_with(".npy")) {
    array = parseNpy(bytes, expected, detail);
  } else if (path.ends_with(".pb")) {
    array = parseTensorProto(bytes, detail);
  } else {
    if (expected == ElementType::String || expected == ElementType::Undefined)
      return fail("raw bytes have no element type; give .npy or .pb");
    array = HostArray::zeros(expected, expectedDims);
    if (array->bytes.size() != bytes.size())
      return fail("has " + Twine(bytes.size()) + " bytes; " + describe(expected, expectedDims) + " takes " +
                  Twine(array->bytes.size()));
    array->bytes = bytes.str();
  }
  if (!array)
    return fail(detail);
  if (expected != ElementType::Undefined && array->type != expected)
    return fail("holds " + elementTypeName(array->type) + "; the model expects " + elementTypeName(expected));
  return array;
}

} // namespace sinter
