// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads numbers and bytes in order; reading past the end gives zeros and is remembered.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstring>

namespace sinter {

class ByteReader {
public:
  explicit ByteReader(llvm::StringRef all) : rest(all) {}
  bool failed() const { return short_; }

  llvm::StringRef bytes(size_t count) {
    if (count > rest.size()) {
      short_ = true;
      return {};
    }
    llvm::StringRef taken = rest.take_front(count);
    rest = rest.drop_front(count);
    return taken;
  }
  template <class T>
  T number() {
    T value = 0;
    if (llvm::StringRef taken = bytes(sizeof(T)); !taken.empty())
      std::memcpy(&value, taken.data(), sizeof(T));
    return value;
  }

private:
  llvm::StringRef rest;
  bool short_ = false;
};

} // namespace sinter
