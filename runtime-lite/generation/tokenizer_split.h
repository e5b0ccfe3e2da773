// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts text into the pieces that the model sees one by one. Each step cuts what the step before it gives and hands
// pieces on at once, so that no list of pieces is kept.
#pragma once

#include "regex_dfa.h"
#include "tokenizer_scratch.h"

namespace sinter::generation {

/// A piece, and how many bytes at its start come from the first character of the caller's text (tokenizer_front.h).
struct Piece {
  Text text;
  size_t front;
};

template <class Take>
void splitPiece(const Tables &tables, uint32_t stepIndex, Piece piece, Scratch &scratch, const Take &take);

/// Goes over a piece by matches and what is between them, and puts them together as the behavior says.
template <class Take>
void splitByRegex(const Tables &tables, const Step &step, Piece piece, const Take &take) {
  const Regex &regex = tables.regexes[step.a];
  auto behavior = SplitBehavior(step.b & 7);
  bool inverts = step.b & 8;
  const Text text = piece.text;
  size_t start = 0, end = 0;            // the piece being put together
  bool isOpen = false, isMatch = false; // whether it may go on; what its last part was
  auto flush = [&] {
    if (end > start)
      take(Piece{{text.bytes + start, end - start}, piece.front > start ? piece.front - start : 0});
    isOpen = false;
  };
  auto part = [&](size_t from, size_t to, bool found) {
    if (from == to)
      return;
    found ^= inverts;
    bool joins = false;
    if (isOpen && behavior == Contiguous)
      joins = found == isMatch;
    else if (isOpen && behavior == MergedWithPrevious)
      joins = found && !isMatch;
    else if (isOpen && behavior == MergedWithNext)
      joins = !found && isMatch;
    if (behavior == Removed && found) {
      flush();
      start = end = to;
      return;
    }
    if (!joins) {
      flush();
      start = from;
    }
    end = to;
    isOpen = true;
    isMatch = found;
  };
  for (size_t at = 0; at < text.size;) {
    Found found = findNext(tables, regex, text, at);
    part(at, found.at, false);
    part(found.at, found.at + found.size, true);
    at = found.at + found.size;
  }
  flush();
}

/// Writes a piece anew, with a string in front of it or for a character of it.
template <class Take>
void rewritePiece(const Tables &tables, uint32_t stepIndex, Piece piece, Scratch &scratch, const Take &take) {
  const Step &step = tables.splits[stepIndex];
  size_t mark = scratch.mark();
  Text with = stringOf(tables, step.kind == StepKind::Substitute ? step.b : step.a);
  TextWriter out(scratch, piece.text.size * step.growth + with.size);
  if (!out.isGood())
    return;
  size_t front = piece.front ? piece.front + with.size : 0;
  if (step.kind == StepKind::Substitute) {
    front = 0;
    for (size_t at = 0; at < piece.text.size;) {
      CodePoint c = readCodePoint(piece.text.bytes + at);
      if (at < piece.front)
        front += c.value == step.a ? with.size : c.bytes;
      if (c.value == step.a)
        out.put(with.bytes, with.size);
      else
        out.put(piece.text.bytes + at, c.bytes);
      at += c.bytes;
    }
  } else {
    out.put(with.bytes, with.size);
    out.put(piece.text.bytes, piece.text.size);
  }
  size_t size = out.end();
  splitPiece(tables, stepIndex + 1, Piece{{out.bytes(), size}, front}, scratch, take);
  scratch.release(mark);
}

/// Hands the pieces of a piece to `take`, from a step on. It calls itself as deep as there are steps.
template <class Take>
void splitPiece(const Tables &tables, uint32_t stepIndex, Piece piece, Scratch &scratch, const Take &take) {
  if (piece.text.size == 0)
    return;
  if (stepIndex == tables.splitCount) {
    take(piece.text);
    return;
  }
  const Step &step = tables.splits[stepIndex];
  if (step.kind == StepKind::Split) {
    splitByRegex(tables, step, piece, [&](Piece part) { splitPiece(tables, stepIndex + 1, part, scratch, take); });
    return;
  }
  bool rewrites = step.kind == StepKind::Substitute;
  if (step.kind == StepKind::PrefixFirst ? piece.front != 0 : !rewrites)
    rewrites = !beginsWith(piece.text, stringOf(tables, step.a));
  if (rewrites)
    rewritePiece(tables, stepIndex, piece, scratch, take);
  else
    splitPiece(tables, stepIndex + 1, piece, scratch, take);
}

/// Whether pieces are told where they come from.
inline bool asksForFront(const Tables &tables) {
  for (uint32_t i = 0; i < tables.splitCount; ++i)
    if (tables.splits[i].kind == StepKind::PrefixFirst)
      return true;
  return false;
}

} // namespace sinter::generation
