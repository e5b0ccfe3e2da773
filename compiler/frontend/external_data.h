// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor data in files beside the model. ExternalData::open is the only function of the program that opens a file which
// a model names.
#pragma once

#include "diagnostics/diagnostics.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinter {

/// TensorProto.external_data, parsed.
struct ExternalPlace {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length; ///< absent: what the tensor needs
  std::string checksum;           ///< SHA-1 of the whole file, in hexadecimal; empty: not stated
};

class ExternalData {
public:
  using File = std::shared_ptr<llvm::MemoryBuffer>;

  /// Files may lie in `folder` (empty: nowhere) and in `roots`. `untrusted` also refuses files with several hard links.
  ExternalData(llvm::StringRef folder, llvm::ArrayRef<std::string> roots, bool untrusted);

  /// The bytes [offset, offset + size) of the file. None: `problem` says why.
  std::optional<llvm::StringRef> read(const ExternalPlace &place, uint64_t size, File &file, Problem &problem);

  /// Files that were opened, in order.
  struct Opened {
    std::string path;
    File file;
  };
  llvm::ArrayRef<Opened> opened() const { return files; }

private:
  File open(llvm::StringRef location, Problem &problem);
  bool matchesChecksum(const ExternalPlace &place, Problem &problem);
  File openBeneath(const std::string &root, llvm::StringRef location, Problem &problem, bool &found);

  std::vector<std::string> roots; ///< canonical
  bool untrusted;
  std::vector<Opened> files;
  llvm::StringMap<size_t> byLocation;
  llvm::StringMap<std::string> sums; ///< by location: SHA-1, once a tensor has asked for it
};

/// A decimal number without sign, blanks or overflow; none otherwise.
std::optional<uint64_t> parseUnsigned(llvm::StringRef text);

} // namespace sinter
