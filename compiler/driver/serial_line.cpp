// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/serial_line.h"
#include "driver/error_saying.h"

#include "llvm/ADT/StringExtras.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

using namespace llvm;

namespace sinter {
namespace {
constexpr std::pair<unsigned, speed_t> speeds[] = {{9600, B9600},       {19200, B19200},    {38400, B38400},
                                                   {57600, B57600},     {115200, B115200},  {230400, B230400},
                                                   {460800, B460800},   {921600, B921600},  {1000000, B1000000},
                                                   {1500000, B1500000}, {2000000, B2000000}};

/// Bytes as they are, at that speed.
Error makeRaw(int device, StringRef name, unsigned baud) {
  const auto *speed = llvm::find_if(speeds, [&](const auto &known) { return known.first == baud; });
  if (speed == std::end(speeds))
    return errorSaying("--runner: " + Twine(baud) + " is no speed of a serial line, such as 115200 or 921600");
  termios mode;
  if (tcgetattr(device, &mode) != 0)
    return errorSaying("--runner: " + name + " is no serial line: " + std::strerror(errno));
  cfmakeraw(&mode);
  cfsetspeed(&mode, speed->second);
  mode.c_cflag |= CLOCAL | CREAD;
  if (tcsetattr(device, TCSANOW, &mode) != 0)
    return errorSaying("--runner: " + name + ": " + std::strerror(errno));
  tcflush(device, TCIOFLUSH);
  return Error::success();
}
} // namespace

Expected<SerialLine> SerialLine::open(StringRef runner) {
  std::signal(SIGPIPE, SIG_IGN); // a line that is gone is an error of write()
  if (runner.consume_front("serial:")) {
    auto [name, speed] = runner.split('@');
    unsigned baud = 115200;
    if (!speed.empty() && speed.getAsInteger(10, baud))
      return errorSaying("--runner serial:" + runner + ": behind @ comes a speed, such as 115200");
    int device = ::open(name.str().c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (device < 0)
      return errorSaying("--runner: " + name + ": " + std::strerror(errno));
    SerialLine line(device, device, 0);
    if (Error error = makeRaw(device, name, baud))
      return std::move(error);
    return line;
  }
  int down[2], up[2];
  if (pipe2(down, O_CLOEXEC) != 0 || pipe2(up, O_CLOEXEC) != 0)
    return errorSaying(std::strerror(errno));
  std::string command = runner.str();
  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0); // it ends with all that it started
    dup2(down[0], 0);
    dup2(up[1], 1);
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  close(down[0]);
  close(up[1]);
  if (child < 0)
    return errorSaying(std::strerror(errno));
  return SerialLine(up[0], down[1], child);
}

SerialLine::SerialLine(SerialLine &&other) : in(other.in), out(other.out), child(other.child) {
  other.in = other.out = -1;
  other.child = 0;
}

SerialLine::~SerialLine() {
  if (in >= 0)
    close(in);
  if (out >= 0 && out != in)
    close(out);
  if (child > 0) {
    kill(-child, SIGTERM);
    waitpid(child, nullptr, 0);
  }
}

Error SerialLine::write(StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(out, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return errorSaying(Twine("the line to the board is closed: ") + std::strerror(errno));
    bytes = bytes.drop_front(static_cast<size_t>(written));
  }
  return Error::success();
}

Expected<std::string> SerialLine::read(size_t count, Clock::time_point end) {
  std::string bytes;
  while (bytes.size() < count) {
    int milliseconds = -1;
    if (end != Clock::time_point::max())
      milliseconds = static_cast<int>(
          std::max<int64_t>(0, std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count()));
    pollfd wait = {in, POLLIN, 0};
    int ready = poll(&wait, 1, milliseconds);
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready == 0)
      return errorSaying("the board does not answer");
    char buffer[4096];
    ssize_t got = ::read(in, buffer, std::min(sizeof buffer, count - bytes.size()));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return errorSaying("the line to the board is closed");
    bytes.append(buffer, static_cast<size_t>(got));
  }
  return bytes;
}

} // namespace sinter
