// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plugin of QEMU (its TCG plugin interface, version 1: include/qemu/qemu-plugin.h there, whose few functions are
// declared here, as distributions do not ship that file). Counts how often each translated block runs between two
// instructions that mark the call, and writes a line for each:  address count word word ...
//   arguments: out=FILE begin=WORD end=WORD    words in hexadecimal, as in memory read as little endian
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info_t qemu_info_t;
enum { WithoutRegisters = 0, AddU64 = 0 };
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int op, void *, uint64_t);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *), int flags, void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;

struct Block {
  struct Block *next;
  uint64_t address, count;
  size_t instructions;
  uint32_t words[];
};
static struct Block *blocks;
static const char *out;
static uint32_t begin, end;

static void atBegin(unsigned cpu, void *data) {
  (void)cpu, (void)data;
  for (struct Block *block = blocks; block; block = block->next)
    block->count = 0;
}

static void atEnd(unsigned cpu, void *data) {
  (void)cpu, (void)data;
  FILE *file = fopen(out, "w");
  if (!file)
    abort();
  for (const struct Block *block = blocks; block; block = block->next) {
    if (!block->count)
      continue;
    fprintf(file, "%" PRIx64 " %" PRIu64, block->address, block->count);
    for (size_t i = 0; i < block->instructions; ++i)
      fprintf(file, " %08" PRIx32, block->words[i]);
    fputc('\n', file);
  }
  if (fclose(file))
    abort();
}

static void atTranslation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
  (void)id;
  const size_t instructions = qemu_plugin_tb_n_insns(tb);
  struct Block *block = calloc(1, sizeof *block + instructions * sizeof block->words[0]);
  if (!block)
    abort();
  block->address = qemu_plugin_tb_vaddr(tb);
  block->instructions = instructions;
  for (size_t i = 0; i < instructions; ++i) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(tb, i);
    const size_t size = qemu_plugin_insn_size(instruction);
    memcpy(&block->words[i], qemu_plugin_insn_data(instruction), size < 4 ? size : 4);
    if (block->words[i] == begin)
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, atBegin, WithoutRegisters, NULL);
    if (block->words[i] == end)
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, atEnd, WithoutRegisters, NULL);
  }
  qemu_plugin_register_vcpu_tb_exec_inline(tb, AddU64, &block->count, 1);
  block->next = blocks;
  blocks = block;
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv) {
  (void)info;
  for (int i = 0; i < argc; ++i) {
    if (!strncmp(argv[i], "out=", 4))
      out = strdup(argv[i] + 4);
    else if (!strncmp(argv[i], "begin=", 6))
      begin = (uint32_t)strtoul(argv[i] + 6, NULL, 16);
    else if (!strncmp(argv[i], "end=", 4))
      end = (uint32_t)strtoul(argv[i] + 4, NULL, 16);
    else
      return 1;
  }
  if (!out || !begin || !end)
    return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, atTranslation);
  return 0;
}
