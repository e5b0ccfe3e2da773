// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strftime_now of chat templates: a date that the caller gives, in English.
#pragma once

#include "runtime-lite/generation/chat_memory.h"

namespace sinter::generation {

struct ChatDate {
  int32_t year, month, day, hour, minute, second; ///< month and day count from 1
};

inline int64_t dayOfYear(const ChatDate &date) {
  constexpr int32_t before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  bool isLeap = (date.year % 4 == 0 && date.year % 100 != 0) || date.year % 400 == 0;
  return before[date.month - 1] + date.day + (isLeap && date.month > 2);
}
/// Sunday is 0.
inline int64_t dayOfWeek(const ChatDate &date) {
  int64_t past = int64_t(date.year) - 1;
  return (past * 365 + past / 4 - past / 100 + past / 400 + dayOfYear(date)) % 7;
}

/// The format's words are those of Python's strftime; %-d and the like leave zeros out.
inline ChatValue dateText(ChatText format, const ChatDate *date, ChatMemory &memory) {
  constexpr ChatText days[] = {chatText("Sunday"),   chatText("Monday"), chatText("Tuesday"), chatText("Wednesday"),
                               chatText("Thursday"), chatText("Friday"), chatText("Saturday")};
  constexpr ChatText months[] = {chatText("January"), chatText("February"), chatText("March"),
                                 chatText("April"),   chatText("May"),      chatText("June"),
                                 chatText("July"),    chatText("August"),   chatText("September"),
                                 chatText("October"), chatText("November"), chatText("December")};
  if (!date || date->year < 1 || date->year > 9999 || date->month < 1 || date->month > 12 || date->day < 1 ||
      date->day > 31) {
    memory.fail(ChatNoDate, chatText("the template asks for the date, and none was given"));
    return ChatValue();
  }
  ChatTextBuilder to(memory);
  for (size_t i = 0; i < format.size && memory.isGood(); ++i) {
    if (format[i] != '%') {
      to.add(format[i]);
      continue;
    }
    bool isBare = i + 1 < format.size && format[i + 1] == '-';
    i += 1 + isBare;
    int64_t hour = (date->hour + 11) % 12 + 1;
    const auto number = [&](int64_t value, size_t width) { to.add(ChatDigits(value, isBare ? 0 : width).text); };
    switch (i < format.size ? format[i] : 0) {
    case 'Y':
      number(date->year, 0);
      break;
    case 'y':
      number(date->year % 100, 2);
      break;
    case 'm':
      number(date->month, 2);
      break;
    case 'd':
      number(date->day, 2);
      break;
    case 'H':
      number(date->hour, 2);
      break;
    case 'I':
      number(hour, 2);
      break;
    case 'M':
      number(date->minute, 2);
      break;
    case 'S':
      number(date->second, 2);
      break;
    case 'j':
      number(dayOfYear(*date), 3);
      break;
    case 'B':
      to.add(months[date->month - 1]);
      break;
    case 'b':
      to.add({months[date->month - 1].data, 3});
      break;
    case 'A':
      to.add(days[dayOfWeek(*date)]);
      break;
    case 'a':
      to.add({days[dayOfWeek(*date)].data, 3});
      break;
    case 'p':
      to.add(date->hour < 12 ? chatText("AM") : chatText("PM"));
      break;
    case '%':
      to.add('%');
      break;
    default:
      memory.fail(ChatUnsupported, chatText("a letter of strftime_now's format"));
    }
  }
  return to.end();
}

} // namespace sinter::generation
