// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "buffer_contents.h"

#include "llvm/ADT/STLExtras.h"

namespace sinter {

template <class List, class Item>
static void addOnce(List &list, const Item &item) {
  if (!llvm::is_contained(list, item))
    list.push_back(item);
}

BufferContents::Held &BufferContents::changing(Buffer buffer) {
  Held &held = contents[buffer];
  log.note(buffer, held);
  return held;
}

void BufferContents::begin(Buffer buffer, const ValueNames &names) {
  auto fill = [&](auto &here, int64_t, int64_t) { here.assign(1, names); };
  Held &held = contents[buffer];
  if (!names.empty())
    held.known.change(0, INT64_MAX, fill);
}

void BufferContents::write(Buffer buffer, const Where &where, const ValueNames &names) {
  if (!where)
    return add(buffer, where, names);
  Held &held = changing(buffer);
  for (auto [begin, end] : *where)
    held.known.change(begin, end, [&](auto &here, int64_t, int64_t) {
      here.clear();
      if (!names.empty())
        here.push_back(names);
    });
}

void BufferContents::add(Buffer buffer, const Where &where, const ValueNames &names) {
  if (names.empty())
    return;
  Held &held = changing(buffer);
  if (!where)
    return addOnce(held.somewhere, names);
  for (auto [begin, end] : *where)
    held.known.change(begin, end, [&](auto &here, int64_t, int64_t) { addOnce(here, names); });
}

void BufferContents::visit(Buffer buffer, const Where &where, Visit visit) const {
  const Held &held = contents.at(buffer);
  constexpr std::pair<int64_t, int64_t> all(INT64_MIN, INT64_MAX);
  for (auto [begin, end] : where ? llvm::ArrayRef(*where) : llvm::ArrayRef(all))
    held.known.visit(begin, end, [&](const auto &here, int64_t from, int64_t to) {
      for (const ValueNames &names : here)
        visit(names, Runs{{from, to}});
    });
  for (const ValueNames &names : held.somewhere)
    visit(names, std::nullopt);
}

BufferContents::Changes BufferContents::exchange(const Changes &changes) {
  Changes before;
  for (const auto &[buffer, held] : changes) {
    Held &now = changing(buffer);
    before[buffer] = std::move(now);
    now = held;
  }
  return before;
}

void BufferContents::merge(const Changes &other) {
  for (const auto &[buffer, held] : other) {
    Held &now = changing(buffer);
    held.known.visit(INT64_MIN, INT64_MAX, [&](const auto &theirs, int64_t from, int64_t to) {
      now.known.change(from, to, [&](auto &here, int64_t, int64_t) {
        for (const ValueNames &names : theirs)
          addOnce(here, names);
      });
    });
    for (const ValueNames &names : held.somewhere)
      addOnce(now.somewhere, names);
  }
}

} // namespace sinter
