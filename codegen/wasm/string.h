// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What generated code asks of C's <string.h>, where there is no C library; memory.cpp of targets/boards defines it.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
size_t strlen(const char *text);
#ifdef __cplusplus
}
#endif
