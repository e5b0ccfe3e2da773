// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "current_names.h"

namespace sinter {

CurrentNames::CurrentNames(const NamedValues &values) : values(values) {
  for (const NamedValues::Value &value : values.values)
    if (value.kind == Kind::Made)
      results.insert({value.a, value.b});
}

bool CurrentNames::Search::hasOneOf(const ValueNames &some) {
  auto isMeant = [&](ValueName name) { return name == anyValue || some.count(name) > 0; };
  if (llvm::any_of(found, isMeant))
    return true;
  while (done < work.size()) {
    step();
    if (llvm::any_of(latest, isMeant))
      return true;
  }
  return false;
}

const ValueNames &CurrentNames::Search::all() {
  while (done < work.size())
    step();
  return found;
}

void CurrentNames::Search::step() {
  latest.clear();
  int64_t id = work[done++];
  if (id < 0 || !seen.insert(id).second)
    return;
  const NamedValues::Value &v = names.values.values[id];
  switch (v.kind) {
  case Kind::Undefined:
    break;
  case Kind::Outside:
    latest.push_back(anyValue);
    break;
  case Kind::Given:
    latest.push_back(names.given(v.a));
    break;
  case Kind::Made: {
    auto made = names.lastMade.find({v.a, v.b});
    latest.push_back(made != names.lastMade.end() ? made->second : anyValue); // folded into something else, or gone
    break;
  }
  case Kind::Same:
    work.push_back(v.a);
    break;
  case Kind::Inserted:
    work.push_back(v.a);
    work.push_back(v.b);
    break;
  case Kind::Carried:
  case Kind::Left:
    if (auto bound = names.carried.find(v.kind == Kind::Left ? v.a : id); bound != names.carried.end()) {
      latest.assign(bound->second.begin(), bound->second.end());
    } else if (v.kind == Kind::Left) {
      work.push_back(v.a);
    } else { // the loop is gone
      work.push_back(v.a);
      work.push_back(v.b);
    }
    break;
  }
  found.insert(latest.begin(), latest.end());
}

ValueName CurrentNames::given(int64_t input) const { return nameFor(-1, input, {}); }

ValueName CurrentNames::nameFor(int64_t tag, int64_t result, const std::vector<int64_t> &path) const {
  return names.try_emplace({tag, result, path}, static_cast<ValueName>(names.size())).first->second;
}

ValueName CurrentNames::make(int64_t tag, int64_t result, const std::vector<int64_t> &path) {
  if (!results.count({tag, result})) // a fill in several pieces, or scratch
    result = 0;
  return lastMade[{tag, result}] = nameFor(tag, result, path);
}

void CurrentNames::bind(int64_t loop, bool isFirst, bool keepOld) {
  auto found = values.loops.find(loop);
  if (found == values.loops.end())
    return;
  std::vector<ValueNames> next; // all at once: values may change places
  for (int64_t id : found->second)
    next.push_back(of(isFirst ? values.values[id].a : values.values[id].b));
  for (auto [id, what] : llvm::zip(found->second, next)) {
    if (keepOld)
      what.insert(carried[id].begin(), carried[id].end());
    carried[id] = std::move(what);
  }
}

void CurrentNames::mayNotRun(int64_t loop) {
  if (auto found = values.loops.find(loop); found != values.loops.end())
    for (int64_t id : found->second) {
      ValueNames start = of(values.values[id].a);
      carried[id].insert(start.begin(), start.end());
    }
}

} // namespace sinter
