// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file that has a program's weights. The program is compiled with what tells it from others:
// SINTER_WEIGHTS_BYTES=1024, and SINTER_WEIGHTS_IDENTITY="0123456789abcdef", a hash of these bytes that stands behind
// them in the file, so that nothing reads gigabytes to know whose they are.
#pragma once

#include "end_with.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#endif

[[noreturn]] inline void endWithWeights(const std::string &what) {
  endWith(what.c_str(),
          "the file that sinter wrote with this program belongs beside it; --weights FILE says where else "
          "it lies, and making the program again writes both");
}

#ifdef SINTER_WEIGHTS_IDENTITY
constexpr unsigned long long weightsBytes = SINTER_WEIGHTS_BYTES;
constexpr char weightsIdentity[] = SINTER_WEIGHTS_IDENTITY;
constexpr unsigned long long weightsFileBytes = weightsBytes + sizeof weightsIdentity - 1;

inline void requireWeightsSize(const std::string &path, unsigned long long bytes) {
  if (bytes != weightsFileBytes)
    endWithWeights("the weights in " + path + " are not those of this program, or are cut off: the file has " +
                   std::to_string(bytes) + " bytes, and is to have " + std::to_string(weightsFileBytes));
}
inline void requireIdentity(const std::string &path, const void *bytes) {
  if (std::memcmp(static_cast<const char *>(bytes) + weightsBytes, weightsIdentity, sizeof weightsIdentity - 1) != 0)
    endWithWeights("the weights in " + path + " are those of another program");
}

/// Bytes of the file, which stay until the program ends: its pages where the system has them, so that several programs
/// share them and nothing is read before it is used. `alignment`: of the bytes elsewhere.
inline const void *mappedWeights(const std::string &path, [[maybe_unused]] size_t alignment) {
  const auto unreadable = [&] {
    endWithWeights("the weights cannot be read from " + path + ": " + std::strerror(errno));
  };
#if defined(__unix__) || defined(__APPLE__)
  const int file = open(path.c_str(), O_RDONLY);
  struct stat facts;
  if (file < 0 || fstat(file, &facts) != 0)
    unreadable();
  if (!S_ISREG(facts.st_mode))
    endWithWeights("the weights cannot be read from " + path + ": it is no regular file");
  requireWeightsSize(path, static_cast<unsigned long long>(facts.st_size));
  void *bytes = mmap(nullptr, static_cast<size_t>(weightsFileBytes), PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED)
    unreadable();
#else
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    unreadable();
  constexpr auto size = static_cast<size_t>(weightsFileBytes);
  void *bytes = ::operator new(size, static_cast<std::align_val_t>(alignment));
  const size_t got = std::fread(bytes, 1, size, file);
  if (std::ferror(file))
    unreadable();
  requireWeightsSize(path, got + (std::fgetc(file) != EOF));
  std::fclose(file);
#endif
  requireIdentity(path, bytes);
  return bytes;
}
#else
inline const void *mappedWeights(const std::string &path, size_t) {
  endWith(("--weights " + path + ": this program's weights are in the program").c_str(), "leave --weights out");
}
#endif
