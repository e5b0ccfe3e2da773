// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds of sizes that nobody gave (runtime_sizes.h) are reported together: conversion goes on with an assumed one to
// find the others, and what else it would say of sizes may come from that one.
#pragma once

#include "diagnostics/diagnostics.h"

namespace sinter {

/// What is assumed. Nothing is made of it.
constexpr int64_t assumedBound = 1024;

/// Whether a bound is missing, so that what follows is made with an assumed one.
bool lacksBound(const Diagnostics &diagnostics);
/// Whether this hint has been given, of a body that is lowered again.
bool lacksBound(const Diagnostics &diagnostics, llvm::StringRef hint);

} // namespace sinter
