// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that users name: regular ones, or pipes of a bounded size. Devices have no end, and are refused.
#pragma once

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <string>

namespace sinter {

/// What another program writes; it ends where that program says so.
inline llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readPipe(llvm::sys::fs::file_t file, llvm::StringRef path,
                                                                    uint64_t mostBytes) {
  constexpr size_t pieceBytes = 1 << 16;
  std::string bytes;
  for (size_t got = pieceBytes; got > 0;) {
    size_t end = bytes.size();
    bytes.resize(end + pieceBytes);
    llvm::Expected<size_t> read =
        llvm::sys::fs::readNativeFile(file, llvm::MutableArrayRef(bytes.data() + end, pieceBytes));
    if (!read)
      return llvm::createStringError(path + ": " + llvm::toString(read.takeError()));
    got = *read;
    bytes.resize(end + got);
    if (bytes.size() > mostBytes)
      return llvm::createStringError(path + ": more than " + llvm::Twine(mostBytes >> 20) + " MiB come through it");
  }
  return llvm::MemoryBuffer::getMemBufferCopy(bytes, path);
}

/// Whole. `mostBytes`: of a pipe; the pages of a regular file are read when they are looked at. The error says which
/// file it is.
inline llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readGiven(llvm::StringRef path,
                                                                     uint64_t mostBytes = uint64_t(1) << 30) {
  auto failed = [&](const llvm::Twine &why) { return llvm::createStringError(path + ": " + why); };
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(path, status)) // before it is opened, which devices may notice
    return failed(code.message());
  if (llvm::sys::fs::is_directory(status))
    return failed(std::make_error_code(std::errc::is_a_directory).message());
  bool isPipe = status.type() == llvm::sys::fs::file_type::fifo_file;
  if (!isPipe && !llvm::sys::fs::is_regular_file(status))
    return failed("it is neither a regular file nor a pipe");
  llvm::Expected<llvm::sys::fs::file_t> file = llvm::sys::fs::openNativeFileForRead(path);
  if (!file)
    return failed(llvm::toString(file.takeError()));
  auto closed = llvm::make_scope_exit([&] { (void)llvm::sys::fs::closeFile(*file); });
  if (isPipe)
    return readPipe(*file, path, mostBytes);
  auto buffer = llvm::MemoryBuffer::getOpenFile(*file, path, status.getSize(), /*RequiresNullTerminator=*/false);
  if (!buffer)
    return failed(buffer.getError().message());
  return std::move(*buffer);
}

} // namespace sinter
