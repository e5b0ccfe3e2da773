// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the device, and pinned memory of the host.
#include "state.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace sinter::fake {

bool State::isDevice(CuPointer pointer, size_t bytes, const Context *owner) const {
  auto after = allocations.upper_bound(pointer);
  if (after == allocations.begin())
    return false;
  const auto &[begin, allocation] = *std::prev(after);
  return (!owner || allocation.owner == owner) && pointer - begin <= allocation.bytes &&
         bytes <= allocation.bytes - (pointer - begin) && (bytes || pointer - begin < allocation.bytes);
}

void State::setAccess(const Context *owner, bool isAllowed) {
  for (auto &[begin, allocation] : allocations)
    if (allocation.owner == owner)
      mprotect(allocation.pages, allocation.pageBytes, isAllowed ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void State::freeAll(const Context *owner) {
  for (auto each = allocations.begin(); each != allocations.end();) {
    const Allocation &allocation = each->second;
    if (allocation.owner != owner) {
      ++each;
      continue;
    }
    munmap(allocation.pages, allocation.pageBytes + static_cast<size_t>(sysconf(_SC_PAGESIZE)));
    allocation.owner->used -= allocation.bytes;
    each = allocations.erase(each);
  }
  for (auto each = hostAllocations.begin(); each != hostAllocations.end();) {
    if (each->second.second != owner) {
      ++each;
      continue;
    }
    std::free(each->first);
    each = hostAllocations.erase(each);
  }
}

} // namespace sinter::fake

using namespace sinter;
using namespace sinter::fake;

extern "C" {
#pragma GCC visibility push(default)

CuResult cuMemAlloc_v2(CuPointer *pointer, size_t bytes) {
  FAKE_ENTER("cuMemAlloc_v2", true)
  if (bytes == 0)
    return kInvalidValue;
  Context &context = *fake.current();
  if (bytes > context.device.memory - context.used)
    return kOutOfMemory;
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), room = (bytes + 255) / 256 * 256;
  Allocation allocation;
  allocation.owner = &context;
  allocation.bytes = bytes;
  allocation.pageBytes = (room + page - 1) / page * page;
  void *pages = mmap(nullptr, allocation.pageBytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    return kOutOfMemory;
  allocation.pages = static_cast<char *>(pages);
  mprotect(allocation.pages, allocation.pageBytes, PROT_READ | PROT_WRITE);
  memset(allocation.pages, 0xff, allocation.pageBytes);
  mprotect(allocation.pages, allocation.pageBytes, PROT_NONE);
  *pointer = reinterpret_cast<uintptr_t>(allocation.pages + allocation.pageBytes - room);
  fake.allocations[*pointer] = allocation;
  context.used += bytes;
  return kSuccess;
}

CuResult cuMemFree_v2(CuPointer pointer) {
  FAKE_ENTER("cuMemFree_v2", true)
  auto found = fake.allocations.find(pointer);
  if (found == fake.allocations.end())
    return fake.mistake("device memory was freed that is none", kInvalidValue);
  if (!fake.isOwn(found->second.owner, "memory"))
    return kInvalidValue;
  found->second.owner->used -= found->second.bytes;
  munmap(found->second.pages, found->second.pageBytes + static_cast<size_t>(sysconf(_SC_PAGESIZE)));
  fake.allocations.erase(found);
  return kSuccess;
}

CuResult cuMemHostAlloc(void **pointer, size_t bytes, unsigned) {
  FAKE_ENTER("cuMemHostAlloc", true)
  char *memory = static_cast<char *>(std::malloc(bytes));
  memset(memory, 0xff, bytes);
  fake.hostAllocations[memory] = {bytes, fake.current()};
  *pointer = memory;
  return kSuccess;
}

CuResult cuMemFreeHost(void *pointer) {
  FAKE_ENTER("cuMemFreeHost", true)
  if (fake.hostAllocations.erase(static_cast<char *>(pointer)) == 0)
    return fake.mistake("pinned memory was freed that is none", kInvalidValue);
  std::free(pointer);
  return kSuccess;
}

CuResult cuPointerGetAttributes(unsigned count, int *attributes, void **values, CuPointer pointer) {
  FAKE_ENTER("cuPointerGetAttributes", true)
  unsigned type = fake.isDevice(pointer, 0, nullptr) ? kCuDevice : 0;
  for (const auto &[begin, allocated] : fake.hostAllocations)
    if (pointer - reinterpret_cast<uintptr_t>(begin) < allocated.first)
      type = kCuHost;
  for (unsigned i = 0; i < count; ++i)
    if (attributes[i] == kCuMemoryType)
      *static_cast<unsigned *>(values[i]) = type; // 0: memory that the driver knows nothing of
    else
      *static_cast<CuPointer *>(values[i]) = type ? pointer : 0;
  return kSuccess;
}

#pragma GCC visibility pop
}
