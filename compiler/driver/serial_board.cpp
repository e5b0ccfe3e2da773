// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The other side of targets/boards/serial.h: requests, replies and their packets.
#include "driver/board_link.h"
#include "driver/error_saying.h"
#include "driver/serial_line.h"

#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace sinter {
namespace {
std::string packetOf(StringRef bytes) {
  uint32_t check = crc32(ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  std::string packet;
  auto size = [&](size_t chunk) {
    packet += static_cast<char>(chunk & 255);
    packet += static_cast<char>(chunk >> 8);
  };
  while (!bytes.empty()) {
    StringRef chunk = bytes.take_front(65535);
    size(chunk.size());
    packet += chunk;
    bytes = bytes.drop_front(chunk.size());
  }
  size(0);
  for (unsigned shift = 0; shift < 32; shift += 8)
    packet += static_cast<char>(check >> shift);
  return packet;
}

class SerialBoard : public BoardLink {
public:
  explicit SerialBoard(SerialLine line) : line(std::move(line)) {}

  Expected<std::string> ask(StringRef mode, StringRef inputs, unsigned seconds) override {
    auto end =
        seconds ? SerialLine::Clock::now() + std::chrono::seconds(seconds) : SerialLine::Clock::time_point::max();
    if (Error error = line.write(std::string("\1SNT") + mode.front() + packetOf(inputs)))
      return std::move(error);
    for (;;) {
      Expected<char> kind = readBegin(end);
      if (!kind)
        return kind.takeError();
      Expected<std::string> answer = readPacket(end);
      if (!answer || *kind == 'k')
        return answer;
      if (*kind != 'i')
        return errorSaying("the board says: " + *answer);
      if (Error error = line.write(packetOf(inputs)))
        return std::move(error);
    }
  }

private:
  /// The kind of the next reply; what comes before it is other text of the board's.
  Expected<char> readBegin(SerialLine::Clock::time_point end) {
    constexpr StringRef begin = "\2SNT";
    for (size_t seen = 0; seen < begin.size();) {
      Expected<std::string> c = line.read(1, end);
      if (!c)
        return c.takeError();
      seen = c->front() == begin[seen] ? seen + 1 : c->front() == begin[0] ? 1 : 0;
    }
    Expected<std::string> kind = line.read(1, end);
    if (!kind)
      return kind.takeError();
    return kind->front();
  }

  Expected<std::string> readPacket(SerialLine::Clock::time_point end) {
    std::string all;
    for (;;) {
      Expected<std::string> size = line.read(2, end);
      if (!size)
        return size;
      size_t bytes = support::endian::read16le(size->data());
      Expected<std::string> chunk = line.read(bytes ? bytes : 4, end);
      if (!chunk)
        return chunk;
      if (bytes) {
        all += *chunk;
        continue;
      }
      if (support::endian::read32le(chunk->data()) !=
          crc32(ArrayRef(reinterpret_cast<const uint8_t *>(all.data()), all.size())))
        return errorSaying("the board's answer did not come as it was sent (CRC)");
      return all;
    }
  }

  SerialLine line;
};
} // namespace

Expected<std::unique_ptr<BoardLink>> serialBoard(StringRef runner) {
  Expected<SerialLine> line = SerialLine::open(runner);
  if (!line)
    return line.takeError();
  return std::make_unique<SerialBoard>(std::move(*line));
}

} // namespace sinter
