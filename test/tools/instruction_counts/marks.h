// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions between which blocks_plugin.c counts: hints that no CPU has given a meaning, so that they do
// nothing.
#pragma once

#ifdef __aarch64__
#define MARK_BEGIN __asm__ volatile("hint #101" ::: "memory")
#define MARK_END __asm__ volatile("hint #102" ::: "memory")
#else // of A32: build with -marm
#define MARK_BEGIN __asm__ volatile(".inst 0xe320f065" ::: "memory")
#define MARK_END __asm__ volatile(".inst 0xe320f066" ::: "memory")
#endif
