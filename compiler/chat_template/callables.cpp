// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chat_template/callables.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace sinter::chat_template {
namespace {
template <class E>
constexpr uint32_t callableNumber(E value) {
  return static_cast<uint32_t>(value);
}

using F = generation::ChatFilter;
constexpr Callable filters[] = {
    {"trim", callableNumber(F::Trim), 0, 1, {"chars", "", ""}},
    {"tojson", callableNumber(F::ToJson), 0, 1, {"indent", "", ""}},
    {"length", callableNumber(F::Length)},
    {"count", callableNumber(F::Length)},
    {"upper", callableNumber(F::Upper)},
    {"lower", callableNumber(F::Lower)},
    {"capitalize", callableNumber(F::Capitalize)},
    {"default", callableNumber(F::Default), 0, 2, {"default_value", "boolean", ""}},
    {"d", callableNumber(F::Default), 0, 2, {"default_value", "boolean", ""}},
    {"join", callableNumber(F::Join), 0, 1, {"d", "", ""}},
    {"items", callableNumber(F::Items)},
    {"list", callableNumber(F::List)},
    {"first", callableNumber(F::First)},
    {"last", callableNumber(F::Last)},
    {"replace", callableNumber(F::Replace), 2, 3, {"old", "new", "count"}},
    {"string", callableNumber(F::String)},
    {"int", callableNumber(F::Int), 0, 1, {"default", "", ""}},
    {"reverse", callableNumber(F::Reverse)},
};
using T = generation::ChatTest;
constexpr Callable tests[] = {
    {"defined", callableNumber(T::Defined)},
    {"undefined", callableNumber(T::Undefined)},
    {"none", callableNumber(T::None)},
    {"string", callableNumber(T::String)},
    {"mapping", callableNumber(T::Mapping)},
    {"iterable", callableNumber(T::Iterable)},
    {"sequence", callableNumber(T::Sequence)},
    {"number", callableNumber(T::Number)},
    {"integer", callableNumber(T::Integer)},
    {"boolean", callableNumber(T::Boolean)},
    {"true", callableNumber(T::IsTrue)},
    {"false", callableNumber(T::IsFalse)},
    {"even", callableNumber(T::Even)},
    {"odd", callableNumber(T::Odd)},
    {"divisibleby", callableNumber(T::DivisibleBy), 1, 1},
    {"eq", callableNumber(T::Equal), 1, 1},
    {"equalto", callableNumber(T::Equal), 1, 1},
    {"==", callableNumber(T::Equal), 1, 1},
    {"ne", callableNumber(T::NotEqual), 1, 1},
    {"!=", callableNumber(T::NotEqual), 1, 1},
    {"lt", callableNumber(T::Less), 1, 1},
    {"lessthan", callableNumber(T::Less), 1, 1},
    {"<", callableNumber(T::Less), 1, 1},
    {"le", callableNumber(T::LessEqual), 1, 1},
    {"<=", callableNumber(T::LessEqual), 1, 1},
    {"gt", callableNumber(T::Greater), 1, 1},
    {"greaterthan", callableNumber(T::Greater), 1, 1},
    {">", callableNumber(T::Greater), 1, 1},
    {"ge", callableNumber(T::GreaterEqual), 1, 1},
    {">=", callableNumber(T::GreaterEqual), 1, 1},
    {"in", callableNumber(T::In), 1, 1},
};
using M = generation::ChatMethod;
constexpr Callable methods[] = {
    {"strip", callableNumber(M::Strip), 0, 1},
    {"lstrip", callableNumber(M::LeftStrip), 0, 1},
    {"rstrip", callableNumber(M::RightStrip), 0, 1},
    {"split", callableNumber(M::Split), 0, 2, {"sep", "maxsplit", ""}},
    {"startswith", callableNumber(M::StartsWith), 1, 1},
    {"endswith", callableNumber(M::EndsWith), 1, 1},
    {"upper", callableNumber(M::Upper)},
    {"lower", callableNumber(M::Lower)},
    {"capitalize", callableNumber(M::Capitalize)},
    {"replace", callableNumber(M::Replace), 2, 3},
    {"find", callableNumber(M::Find), 1, 1},
    {"count", callableNumber(M::Count), 1, 1},
    {"join", callableNumber(M::Join), 1, 1},
    {"get", callableNumber(M::Get), 1, 2},
    {"items", callableNumber(M::Items)},
    {"keys", callableNumber(M::Keys)},
    {"values", callableNumber(M::Values)},
};
using L = generation::ChatLoopValue;
constexpr Callable loopValues[] = {
    {"index", callableNumber(L::Index)},     {"index0", callableNumber(L::Index0)},
    {"first", callableNumber(L::First)},     {"last", callableNumber(L::Last)},
    {"length", callableNumber(L::Length)},   {"revindex", callableNumber(L::Left)},
    {"revindex0", callableNumber(L::Left0)}, {"previtem", callableNumber(L::Previous)},
    {"nextitem", callableNumber(L::Next)},
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
