// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "edited.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace sinter {
namespace {
constexpr llvm::StringLiteral before = "(sum ";

/// The text behind the mark.
std::optional<StringRef> behindMark(StringRef text) {
  size_t at = text.find(before);
  return at == StringRef::npos ? std::nullopt : std::optional(text.drop_front(at + before.size()));
}
} // namespace

std::string sumBelow(StringRef text) {
  StringRef below = behindMark(text).value_or(text).split('\n').second;
  return utohexstr(xxh3_64bits(below), true, 16);
}

std::optional<std::string> recordedSum(StringRef text) {
  std::optional<StringRef> behind = behindMark(text);
  if (!behind || !behind->contains(')'))
    return std::nullopt;
  StringRef sum = behind->take_until([](char c) { return c == ')'; });
  return sum.size() == 16 && all_of(sum, isHexDigit) ? std::optional(sum.str()) : std::nullopt;
}

} // namespace sinter
