#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A compiler of C++17 and nothing more: $SINTER_ISO_CXX, which does not tell generated sources that it is GCC. Other sources (the runner's) it
# compiles as it is.
case " $* " in
*/runner/*) exec $SINTER_ISO_CXX "$@" ;;
*) exec $SINTER_ISO_CXX -U__GNUC__ -U__clang__ -pedantic-errors "$@" ;;
esac
