// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts text into the pieces that the model sees one by one. Each step cuts what the step before it gives and hands
// pieces on at once, so that no list of pieces is kept.
#pragma once

#include "regex_dfa.h"
#include "tokenizer_scratch.h"

namespace sinter::generation {

/// A piece, and whether it is at the very start of the caller's text.
struct Piece {
  Text text;
  bool isFirst;
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
      take(Piece{{text.bytes + start, end - start}, piece.isFirst && start == 0});
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
  if (step.kind == StepKind::Substitute) {
    for (size_t at = 0; at < piece.text.size;) {
      CodePoint c = readCodePoint(piece.text.bytes + at);
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
  splitPiece(tables, stepIndex + 1, Piece{{out.bytes(), size}, piece.isFirst}, scratch, take);
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
  if (step.kind == StepKind::PrefixFirst ? piece.isFirst : !rewrites)
    rewrites = !beginsWith(piece.text, stringOf(tables, step.a));
  if (rewrites)
    rewritePiece(tables, stepIndex, piece, scratch, take);
  else
    splitPiece(tables, stepIndex + 1, piece, scratch, take);
}

} // namespace sinter::generation
