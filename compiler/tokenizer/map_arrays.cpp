// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tokenizer/map_arrays.h"

namespace sinter::tokenizer {

MapArrays mapArraysOf(const std::vector<uint16_t> &numbers) {
  constexpr size_t block = 128, blocks = (lastCodePoint + 1) / block;
  MapArrays arrays;
  std::map<std::vector<uint16_t>, uint16_t> known;
  for (size_t i = 0; i < blocks; ++i) {
    std::vector<uint16_t> part(block);
    if (!numbers.empty())
      part.assign(numbers.begin() + i * block, numbers.begin() + (i + 1) * block);
    auto [number, isNew] = known.insert({part, static_cast<uint16_t>(known.size())});
    if (isNew)
      arrays.blocks.insert(arrays.blocks.end(), part.begin(), part.end());
    arrays.index.push_back(number->second);
  }
  return arrays;
}

std::optional<MappingArrays> mappingArraysOf(const Sequences &mapping) {
  MappingArrays arrays;
  std::vector<uint16_t> numbers(lastCodePoint + 1);
  std::map<std::vector<uint32_t>, uint16_t> known;
  arrays.starts.push_back(0);
  for (const auto &[c, sequence] : mapping) {
    auto [number, isNew] = known.insert({sequence, static_cast<uint16_t>(known.size() + 1)});
    if (known.size() > UINT16_MAX)
      return std::nullopt;
    if (isNew) {
      arrays.sequences.insert(arrays.sequences.end(), sequence.begin(), sequence.end());
      arrays.starts.push_back(static_cast<uint32_t>(arrays.sequences.size()));
    }
    numbers[c] = number->second;
  }
  arrays.map = mapArraysOf(numbers);
  return arrays;
}

} // namespace sinter::tokenizer
