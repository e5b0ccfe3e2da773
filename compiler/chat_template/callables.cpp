// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chat_template/callables.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sinter::chat_template {
namespace {
template <class E>
constexpr uint32_t numberOf(E value) {
  return static_cast<uint32_t>(value);
}

using F = generation::ChatFilter;
constexpr Callable filters[] = {
    {"trim", numberOf(F::Trim), 0, 1, {"chars", "", ""}},
    {"tojson", numberOf(F::ToJson), 0, 1, {"indent", "", ""}},
    {"length", numberOf(F::Length)},
    {"count", numberOf(F::Length)},
    {"upper", numberOf(F::Upper)},
    {"lower", numberOf(F::Lower)},
    {"capitalize", numberOf(F::Capitalize)},
    {"default", numberOf(F::Default), 0, 2, {"default_value", "boolean", ""}},
    {"d", numberOf(F::Default), 0, 2, {"default_value", "boolean", ""}},
    {"join", numberOf(F::Join), 0, 1, {"d", "", ""}},
    {"items", numberOf(F::Items)},
    {"list", numberOf(F::List)},
    {"first", numberOf(F::First)},
    {"last", numberOf(F::Last)},
    {"replace", numberOf(F::Replace), 2, 3, {"old", "new", "count"}},
    {"string", numberOf(F::String)},
    {"int", numberOf(F::Int), 0, 1, {"default", "", ""}},
    {"reverse", numberOf(F::Reverse)},
};
using T = generation::ChatTest;
constexpr Callable tests[] = {
    {"defined", numberOf(T::Defined)},
    {"undefined", numberOf(T::Undefined)},
    {"none", numberOf(T::None)},
    {"string", numberOf(T::String)},
    {"mapping", numberOf(T::Mapping)},
    {"iterable", numberOf(T::Iterable)},
    {"sequence", numberOf(T::Sequence)},
    {"number", numberOf(T::Number)},
    {"integer", numberOf(T::Integer)},
    {"boolean", numberOf(T::Boolean)},
    {"true", numberOf(T::IsTrue)},
    {"false", numberOf(T::IsFalse)},
    {"even", numberOf(T::Even)},
    {"odd", numberOf(T::Odd)},
    {"divisibleby", numberOf(T::DivisibleBy), 1, 1},
    {"eq", numberOf(T::Equal), 1, 1},
    {"equalto", numberOf(T::Equal), 1, 1},
    {"==", numberOf(T::Equal), 1, 1},
    {"ne", numberOf(T::NotEqual), 1, 1},
    {"!=", numberOf(T::NotEqual), 1, 1},
    {"lt", numberOf(T::Less), 1, 1},
    {"lessthan", numberOf(T::Less), 1, 1},
    {"<", numberOf(T::Less), 1, 1},
    {"le", numberOf(T::LessEqual), 1, 1},
    {"<=", numberOf(T::LessEqual), 1, 1},
    {"gt", numberOf(T::Greater), 1, 1},
    {"greaterthan", numberOf(T::Greater), 1, 1},
    {">", numberOf(T::Greater), 1, 1},
    {"ge", numberOf(T::GreaterEqual), 1, 1},
    {">=", numberOf(T::GreaterEqual), 1, 1},
    {"in", numberOf(T::In), 1, 1},
};
using M = generation::ChatMethod;
constexpr Callable methods[] = {
    {"strip", numberOf(M::Strip), 0, 1},
    {"lstrip", numberOf(M::LeftStrip), 0, 1},
    {"rstrip", numberOf(M::RightStrip), 0, 1},
    {"split", numberOf(M::Split), 0, 2, {"sep", "maxsplit", ""}},
    {"startswith", numberOf(M::StartsWith), 1, 1},
    {"endswith", numberOf(M::EndsWith), 1, 1},
    {"upper", numberOf(M::Upper)},
    {"lower", numberOf(M::Lower)},
    {"capitalize", numberOf(M::Capitalize)},
    {"replace", numberOf(M::Replace), 2, 3},
    {"find", numberOf(M::Find), 1, 1},
    {"count", numberOf(M::Count), 1, 1},
    {"join", numberOf(M::Join), 1, 1},
    {"get", numberOf(M::Get), 1, 2},
    {"items", numberOf(M::Items)},
    {"keys", numberOf(M::Keys)},
    {"values", numberOf(M::Values)},
};
using L = generation::ChatLoopValue;
constexpr Callable loopValues[] = {
    {"index", numberOf(L::Index)},     {"index0", numberOf(L::Index0)},     {"first", numberOf(L::First)},
    {"last", numberOf(L::Last)},       {"length", numberOf(L::Length)},     {"revindex", numberOf(L::Left)},
    {"revindex0", numberOf(L::Left0)}, {"previtem", numberOf(L::Previous)}, {"nextitem", numberOf(L::Next)},
};

const Callable *findCallable(ArrayRef<Callable> among, StringRef name) {
  const Callable *found = find_if(among, [&](const Callable &candidate) { return candidate.name == name; });
  return found == among.end() ? nullptr : found;
}
} // namespace

const Callable *findFilter(StringRef name) { return findCallable(filters, name); }
const Callable *findTest(StringRef name) { return findCallable(tests, name); }
const Callable *findMethod(StringRef name) { return findCallable(methods, name); }
const Callable *findLoopValue(StringRef name) { return findCallable(loopValues, name); }
bool isFunction(StringRef name) {
  return name == "range" || name == "namespace" || name == "raise_exception" || name == "strftime_now";
}

} // namespace sinter::chat_template
