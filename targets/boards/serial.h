// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A board that answers `sinter verify --runner` and `sinter bench --runner` over a serial line: serve() reads requests
// and writes replies for ever. samples/firmware/serial.cpp is a whole program.
//
// A request is "\1SNT", a mode and a packet; a reply "\2SNT", a kind and a packet: 'k' what was asked for, 'e' a
// message, 'i' nothing: the board wants the packet of inputs once more before it goes on. A packet is chunks of up to
// 65535 bytes, each behind its size in two bytes, then a size of 0, then the CRC-32 of all bytes of the chunks in four
// bytes. Numbers have their least byte first. Modes and what packets hold:
//   d  nothing -> the model's description, JSON
//   r  for each input its dims (int64) and elements; strings are a size (int64) and bytes each
//      -> status (int32); if 0, for each output dims and elements
//   c  the same -> the same, then, all int64: ticks of one call, bytes of stack or -1, and ticks of each kernel
// Between a request's packet and its reply the board is busy; whatever else it writes is skipped up to a reply's begin.
#pragma once

#include "board_call.h"

/// One packet on its way in or out. Port has get() and put(uint8_t), which wait.
template <class Port>
class Packet {
public:
  template <class T>
  void read(T *to, size_t count) {
    auto *bytes = reinterpret_cast<uint8_t *>(to);
    for (size_t i = 0; i < count * sizeof(T); ++i) {
      if (left == 0)
        left = size();
      if (left == 0)
        fail("the request is too short");
      bytes[i] = add(Port::get());
      --left;
    }
  }
  /// Whether all has come, as it was sent.
  bool endsWell() {
    if (left != 0 || size() != 0)
      return false;
    uint32_t sent = 0;
    for (int shift = 0; shift < 32; shift += 8)
      sent |= static_cast<uint32_t>(Port::get()) << shift;
    return sent == ~crc;
  }
  template <class T>
  void write(const T *from, size_t count) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(from);
    for (size_t rest = count * sizeof(T); rest != 0;) {
      const size_t chunk = rest < 65535 ? rest : 65535;
      putSize(chunk);
      for (size_t i = 0; i < chunk; ++i)
        Port::put(add(*bytes++));
      rest -= chunk;
    }
  }
  void end() {
    putSize(0);
    for (int shift = 0; shift < 32; shift += 8)
      Port::put(static_cast<uint8_t>(~crc >> shift));
  }

private:
  static size_t size() {
    const size_t low = Port::get();
    return low | static_cast<size_t>(Port::get()) << 8;
  }
  static void putSize(size_t bytes) {
    Port::put(static_cast<uint8_t>(bytes));
    Port::put(static_cast<uint8_t>(bytes >> 8));
  }
  uint8_t add(uint8_t byte) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    return byte;
  }
  uint32_t crc = 0xffffffffu;
  size_t left = 0; ///< of a chunk that is being read
};

/// Begins a reply.
template <class Port>
void beginReply(char kind) {
  const char begin[] = {'\2', 'S', 'N', 'T', kind};
  for (const char c : begin)
    Port::put(static_cast<uint8_t>(c));
}

/// A reply that says why there is no other.
template <class Port>
void refuseRequest(const char *why) {
  beginReply<Port>('e');
  Packet<Port> message;
  message.write(why, strlen(why));
  message.end();
}

/// Takes one request and answers it, with arena, inputs and outputs in `memory`. Clock: see clocks.h.
template <class Port, class Clock>
void serveOne(Memory memory) {
  static const char begin[] = "\1SNT";
  for (size_t seen = 0; seen < 4;) {
    const char c = static_cast<char>(Port::get());
    seen = c == begin[seen] ? seen + 1 : c == begin[0] ? 1 : 0;
  }
  const char mode = static_cast<char>(Port::get());
  Packet<Port> request, reply;
  if (mode == 'd') {
    if (!request.endsWell())
      return refuseRequest<Port>("the request did not come as it was sent");
    beginReply<Port>('k');
    auto sink = [&reply](const char *text, size_t size) { reply.write(text, size); };
    Description<decltype(sink)>(sink).write();
    return reply.end();
  }
  if (mode != 'r' && mode != 'c')
    return refuseRequest<Port>("this board does not know what is asked for");
  Call call(memory);
  call.readInputs(request);
  if (!request.endsWell())
    return refuseRequest<Port>("the request did not come as it was sent");
  const int32_t status = call.run();
  Ticks ticks = {0, nullptr};
  if (status == 0 && mode == 'c')
    ticks = countTicks<Clock>(call, [&call] {
      beginReply<Port>('i');
      Packet<Port>().end();
      Packet<Port> again;
      call.readInputs(again);
      if (!again.endsWell())
        fail("the inputs did not come as they were sent");
    });
  beginReply<Port>('k');
  reply.write(&status, 1);
  if (status == 0)
    call.writeResults(reply);
  if (ticks.kernels)
    writeTicks(reply, call, ticks, -1);
  reply.end();
}
