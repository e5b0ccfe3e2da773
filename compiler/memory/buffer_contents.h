// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What buffers hold while check_values.cpp runs a function on names instead of numbers: for each element, the values
// that may be there. Changes are noted, so that a choice or a loop costs what it touches.
#pragma once

#include "change_log.h"
#include "segments.h"
#include "view_runs.h"

#include <set>

namespace sinter {

/// A result of an op in one iteration of the loops around it, or a model input.
using ValueName = int64_t;
using ValueNames = std::set<ValueName>;
constexpr ValueName anyValue = -1; ///< nothing is known: counts as right

class BufferContents {
public:
  using Buffer = std::pair<mlir::Operation *, int64_t>; ///< the op that makes it, or the number of the caller's
  using Where = std::optional<Runs>;                    ///< nothing: somewhere
  /// One of several that may be there; of its names, not all need be in each part.
  using Visit = llvm::function_ref<void(const ValueNames &, const Where &)>;
  struct Held {
    Segments<std::vector<ValueNames>> known;
    std::vector<ValueNames> somewhere;
  };
  using Changes = ChangeLog<Buffer, Held>::Changes;

  bool isKnown(Buffer buffer) const { return contents.count(buffer) > 0; }
  /// What it held from the start, looked at for the first time: no change.
  void begin(Buffer buffer, const ValueNames &names);
  /// Forgets what it held.
  void clear(Buffer buffer) { changing(buffer) = {}; }
  /// Nothing else is in `where` from now on; where that is not known, the names are there beside what is. No names:
  /// nothing is.
  void write(Buffer buffer, const Where &where, const ValueNames &names);
  /// Beside what is there.
  void add(Buffer buffer, const Where &where, const ValueNames &names);
  void visit(Buffer buffer, const Where &where, Visit visit) const;

  /// What the buffers held that `run` changes.
  Changes changesBy(llvm::function_ref<void()> run) { return log.during(run); }
  /// What `changes` says is there once more; what was there instead.
  Changes exchange(const Changes &changes);
  /// Either may be so: what `other` says is there beside what is.
  void merge(const Changes &other);

private:
  Held &changing(Buffer buffer);

  std::map<Buffer, Held> contents;
  ChangeLog<Buffer, Held> log;
};

} // namespace sinter
