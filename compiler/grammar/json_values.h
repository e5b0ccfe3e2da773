// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of JSON that schemas are put together from.
#pragma once

#include "grammar/pattern.h"

namespace sinter::grammar {

Pattern jsonInteger();
Pattern jsonNumber();
/// A character of a string, quoted or not.
Pattern jsonCharacter();
Pattern jsonString(Pattern content);
/// , and : with a blank behind them or none.
Pattern jsonComma();
Pattern jsonColon();
/// Items between brackets, from so many to so many (-1: no end).
Pattern jsonList(const char *open, const char *close, Pattern item, int min, int max);
/// Any value; `self` is the rule that this is.
Pattern jsonAny(int self);

} // namespace sinter::grammar
