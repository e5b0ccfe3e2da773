// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many bytes zlib makes of others at its usual level (6), without making them: how well a text compresses tells
// whether it repeats itself, and thresholds of that are stated for zlib. Its choices are followed: matches that wait
// for a longer one (deflate_slow), Huffman codes by its heap, the shortest of its three kinds of blocks.
//   size = sinter::deflatedSize(bytes, count, scratch);      // count <= kMostDeflated, sinter::DeflateScratch *scratch
#pragma once

#include "runtime-lite/compiler.h"
#include "runtime-lite/types.h"

#include <string.h>

namespace sinter {
namespace {

constexpr int32_t kMostDeflated = 16383; // of one block
constexpr int32_t kLengthCodes = 286, kDistanceCodes = 30, kBitCodes = 19, kHashes = 1 << 15;

/// Symbols of one kind, how often they come, and how long their codes are; nodes of the tree stand behind them.
struct HuffmanCode {
  int32_t symbols, longest; // what there are; bits of a code at most
  int32_t last;             // of the symbols that come
  int32_t counts[2 * kLengthCodes], bits[2 * kLengthCodes], parents[2 * kLengthCodes];
};

struct DeflateScratch {
  HuffmanCode lengths, distances, bits;
  int32_t heads[kHashes], before[kMostDeflated + 1]; // places + 1 with the same hash
  int32_t heap[2 * kLengthCodes + 1], depths[2 * kLengthCodes];
};

/// Bits behind a symbol's code.
SINTER_FUNCTION int32_t extraBitsOf(const HuffmanCode &code, int32_t symbol) {
  if (code.symbols == kDistanceCodes)
    return symbol < 4 ? 0 : symbol / 2 - 1;
  if (code.symbols == kBitCodes)
    return symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
  return symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4;
}
SINTER_FUNCTION int32_t fixedBitsOf(const HuffmanCode &code, int32_t symbol) {
  if (code.symbols == kDistanceCodes)
    return 5;
  return symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
}

class DeflateSize {
public:
  DeflateSize(const uint8_t *bytes, int32_t count, DeflateScratch &scratch) : bytes(bytes), count(count), at(scratch) {
    begin(at.lengths, kLengthCodes, 15);
    begin(at.distances, kDistanceCodes, 15);
    begin(at.bits, kBitCodes, 7);
    memset(at.heads, 0, sizeof at.heads);
  }

  int64_t size() {
    findMatches();
    constexpr int32_t end = 256;
    ++at.lengths.counts[end];
    build(at.lengths);
    build(at.distances);
    const int64_t fixed = fixedBits;
    describe(at.lengths);
    describe(at.distances);
    build(at.bits);
    constexpr uint8_t order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    int32_t last = kBitCodes - 1;
    while (last >= 3 && at.bits.bits[order[last]] == 0)
      --last;
    ownBits += 3 * (last + 1) + 14;
    constexpr int64_t head = 3, around = 6;
    const int64_t own = (ownBits + head + 7) / 8, known = (fixed + head + 7) / 8, best = known <= own ? known : own;
    return around + (count + 4 <= best ? count + 5 : best);
  }

private:
  static void begin(HuffmanCode &code, int32_t symbols, int32_t longest) {
    memset(&code, 0, sizeof code);
    code.symbols = symbols, code.longest = longest, code.last = -1;
  }

  /// Puts a place first among those with its hash. Returns the one that was, or -1.
  int32_t insert(int32_t place) {
    const int32_t hash = (bytes[place] << 10 ^ bytes[place + 1] << 5 ^ bytes[place + 2]) & (kHashes - 1);
    const int32_t first = at.heads[hash];
    at.before[place] = first;
    at.heads[hash] = place;
    return first; // the first byte of all is no match, as place 0 says that there is none
  }

  int32_t longestMatch(int32_t place, int32_t candidate, int32_t known, int32_t &start) const {
    constexpr int32_t longest = 258, good = 8, nice = 128, tries = 128;
    const int32_t room = count - place < longest ? count - place : longest, enough = room < nice ? room : nice;
    int32_t best = known;
    for (int32_t left = known >= good ? tries / 4 : tries; candidate > 0 && left > 0; --left) {
      int32_t length = 0;
      while (length < room && bytes[candidate + length] == bytes[place + length])
        ++length;
      if (length > best) {
        best = length, start = candidate;
        if (length >= enough)
          break;
      }
      candidate = at.before[candidate];
    }
    return best < room ? best : room;
  }

  void addMatch(int32_t length, int32_t distance) {
    int32_t symbol = 285;
    if (length < 258) {
      const int32_t rest = length - 3;
      int32_t extra = 0;
      while ((rest >> extra) >= 8)
        ++extra;
      symbol = extra == 0 ? 257 + rest : 257 + 4 * extra + (rest >> extra);
    }
    ++at.lengths.counts[symbol];
    const int32_t rest = distance - 1;
    int32_t extra = 0;
    while ((rest >> extra) >= 4)
      ++extra;
    ++at.distances.counts[extra == 0 ? rest : 2 * extra + (rest >> extra)];
  }

  void findMatches() {
    constexpr int32_t shortest = 3, lazy = 16, far = 4096;
    int32_t length = shortest - 1, start = 0, place = 0;
    bool isWaiting = false; // the byte before
    while (place < count) {
      const int32_t first = count - place >= shortest ? insert(place) : 0;
      const int32_t lengthBefore = length, startBefore = start;
      length = shortest - 1;
      if (first > 0 && lengthBefore < lazy) {
        length = longestMatch(place, first, lengthBefore, start);
        if (length == shortest && place - start > far)
          length = shortest - 1;
      }
      if (lengthBefore >= shortest && length <= lengthBefore) {
        addMatch(lengthBefore, place - 1 - startBefore);
        for (int32_t i = lengthBefore - 2; i > 0; --i)
          if (++place + shortest <= count)
            insert(place);
        isWaiting = false, length = shortest - 1, ++place;
        continue;
      }
      if (isWaiting)
        ++at.lengths.counts[bytes[place - 1]];
      isWaiting = true;
      ++place;
    }
    if (isWaiting)
      ++at.lengths.counts[bytes[count - 1]];
  }

  bool isBefore(const HuffmanCode &code, int32_t a, int32_t b) const {
    return code.counts[a] < code.counts[b] || (code.counts[a] == code.counts[b] && at.depths[a] <= at.depths[b]);
  }
  void sink(const HuffmanCode &code, int32_t place, int32_t size) {
    const int32_t moved = at.heap[place];
    for (int32_t next = 2 * place; next <= size; next *= 2) {
      if (next < size && isBefore(code, at.heap[next + 1], at.heap[next]))
        ++next;
      if (isBefore(code, moved, at.heap[next]))
        break;
      at.heap[place] = at.heap[next];
      place = next;
    }
    at.heap[place] = moved;
  }

  /// Codes' lengths, and what all symbols take by them and by the fixed codes.
  void build(HuffmanCode &code) {
    int32_t size = 0;
    memset(at.depths, 0, sizeof at.depths);
    for (int32_t symbol = 0; symbol < code.symbols; ++symbol)
      if (code.counts[symbol] != 0)
        at.heap[++size] = code.last = symbol;
    const bool isFixed = code.symbols != kBitCodes;
    while (size < 2) { // a tree has two leaves, which cost nothing
      const int32_t symbol = code.last < 2 ? ++code.last : 0;
      at.heap[++size] = symbol;
      code.counts[symbol] = 1;
      --ownBits;
      fixedBits -= isFixed ? fixedBitsOf(code, symbol) : 0;
    }
    for (int32_t place = size / 2; place >= 1; --place)
      sink(code, place, size);
    int32_t node = code.symbols, done = 2 * kLengthCodes + 1; // behind the heap: nodes, the deepest last
    do {
      const int32_t a = at.heap[1];
      at.heap[1] = at.heap[size--];
      sink(code, 1, size);
      const int32_t b = at.heap[1];
      at.heap[--done] = a, at.heap[--done] = b;
      code.counts[node] = code.counts[a] + code.counts[b];
      at.depths[node] = (at.depths[a] > at.depths[b] ? at.depths[a] : at.depths[b]) + 1;
      code.parents[a] = code.parents[b] = node;
      at.heap[1] = node++;
      sink(code, 1, size);
    } while (size >= 2);
    at.heap[--done] = at.heap[1];
    measure(code, done, isFixed);
  }

  void measure(HuffmanCode &code, int32_t root, bool isFixed) {
    constexpr int32_t end = 2 * kLengthCodes + 1;
    int32_t ofLength[16] = {}, tooLong = 0;
    code.bits[at.heap[root]] = 0;
    for (int32_t i = root + 1; i < end; ++i) {
      const int32_t node = at.heap[i];
      int32_t bits = code.bits[code.parents[node]] + 1;
      if (bits > code.longest)
        bits = code.longest, ++tooLong;
      code.bits[node] = bits;
      if (node >= code.symbols)
        continue;
      ++ofLength[bits];
      const int64_t extra = extraBitsOf(code, node);
      ownBits += code.counts[node] * (bits + extra);
      fixedBits += isFixed ? code.counts[node] * (fixedBitsOf(code, node) + extra) : 0;
    }
    if (tooLong == 0)
      return;
    for (; tooLong > 0; tooLong -= 2) { // a shorter code makes room for two longer ones
      int32_t bits = code.longest - 1;
      while (ofLength[bits] == 0)
        --bits;
      --ofLength[bits], ofLength[bits + 1] += 2, --ofLength[code.longest];
    }
    int32_t i = end;
    for (int32_t bits = code.longest; bits > 0; --bits)
      for (int32_t left = ofLength[bits]; left > 0;) {
        const int32_t node = at.heap[--i];
        if (node >= code.symbols)
          continue;
        ownBits += int64_t(bits - code.bits[node]) * code.counts[node];
        code.bits[node] = bits;
        --left;
      }
  }

  /// Symbols that the lengths of a code are written by: 16 repeats one, 17 and 18 repeat 0.
  void describe(const HuffmanCode &code) {
    int32_t before = -1, run = 0;
    for (int32_t symbol = 0; symbol <= code.last; ++symbol) {
      const int32_t bits = code.bits[symbol], next = symbol < code.last ? code.bits[symbol + 1] : -1;
      const int32_t most = bits == 0 ? 138 : bits == before ? 6 : 7, least = bits == 0 || bits == before ? 3 : 4;
      if (++run < most && bits == next)
        continue;
      if (run < least) {
        at.bits.counts[bits] += run;
      } else if (bits != 0) {
        at.bits.counts[bits] += bits != before;
        ++at.bits.counts[16];
      } else {
        ++at.bits.counts[run <= 10 ? 17 : 18];
      }
      run = 0, before = bits;
    }
  }

  const uint8_t *bytes;
  int32_t count;
  DeflateScratch &at;
  int64_t ownBits = 0, fixedBits = 0;
};

SINTER_FUNCTION int64_t deflatedSize(const uint8_t *bytes, int32_t count, DeflateScratch *scratch) {
  return DeflateSize(bytes, count, *scratch).size();
}

} // namespace
} // namespace sinter
