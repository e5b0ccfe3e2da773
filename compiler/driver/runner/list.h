// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array that grows. The runner is compiled anew with each model, in a fraction of the time that std::vector alone
// takes to be compiled for as many types; for the same reason it keeps to the small headers of the C library.
#pragma once

#include <stddef.h>
#include <string.h>

/// T: anything with a default value that can be assigned.
template <class T>
class List {
public:
  List() = default;
  List(const T *from, const T *to) { assign(from, to); }
  List(const List &other) { assign(other.begin(), other.end()); }
  List(List &&other) noexcept { swap(other); }
  List &operator=(List other) noexcept {
    swap(other);
    return *this;
  }
  ~List() { delete[] items; }

  T *data() { return items; }
  const T *data() const { return items; }
  T *begin() { return items; }
  const T *begin() const { return items; }
  T *end() { return items + count; }
  const T *end() const { return items + count; }
  size_t size() const { return count; }
  T &operator[](size_t i) { return items[i]; }
  const T &operator[](size_t i) const { return items[i]; }
  bool operator==(const List &other) const {
    bool same = count == other.count;
    for (size_t i = 0; same && i < count; ++i)
      same = items[i] == other.items[i];
    return same;
  }

  void clear() { count = 0; }
  void resize(size_t size) {
    const size_t used = room; // what lies behind has its default value
    reserve(size);
    for (size_t i = count; i < size && i < used; ++i)
      items[i] = T();
    count = size;
  }
  void push_back(T item) {
    if (count == room)
      reserve(2 * room + 8);
    items[count++] = static_cast<T &&>(item);
  }
  void append(const T *from, const T *to) {
    if (from == to)
      return;
    const auto more = static_cast<size_t>(to - from);
    if (count + more > room)
      reserve(2 * room + more);
    if constexpr (__is_trivially_copyable(T)) {
      memcpy(items + count, from, more * sizeof(T));
    } else {
      for (size_t i = 0; i < more; ++i)
        items[count + i] = from[i];
    }
    count += more;
  }
  void assign(const T *from, const T *to) {
    clear();
    append(from, to);
  }
  void swap(List &other) noexcept {
    exchange(items, other.items);
    exchange(count, other.count);
    exchange(room, other.room);
  }

private:
  template <class V>
  static void exchange(V &a, V &b) {
    const V value = a;
    a = b;
    b = value;
  }
  void reserve(size_t size) {
    if (size <= room)
      return;
    T *more = new T[size]();
    for (size_t i = 0; i < count; ++i)
      more[i] = static_cast<T &&>(items[i]);
    delete[] items;
    items = more;
    room = size;
  }

  T *items = nullptr;
  size_t count = 0, room = 0;
};
