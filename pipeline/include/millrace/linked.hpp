// SPDX-FileCopyrightText: The Millrace authors
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>

namespace millrace::inline v1 {

template <class T>
class LinkedList;

/// What an element of a LinkedList derives from.
template <class T>
class Linked {
 protected:
  Linked() = default;
  ~Linked() = default;

 private:
  friend class LinkedList<T>;
  T* before_ = nullptr;
  T* after_ = nullptr;
  bool linked_ = false;
};

/// A list through elements that somebody else owns: nothing is allocated, nothing throws, and an
/// element leaves from the middle at once. It is in one list at most. [under the owner's lock]
template <class T>
class LinkedList {
 public:
  LinkedList() = default;
  LinkedList(const LinkedList&) = delete;
  LinkedList& operator=(const LinkedList&) = delete;

  bool empty() const noexcept { return !first_; }
  std::size_t size() const noexcept { return size_; }
  T* first() const noexcept { return first_; }
  T* after(const T& element) const noexcept { return link(element).after_; }

  void append(T& element) noexcept {
    Linked<T>& own = link(element);
    own.before_ = last_;
    own.after_ = nullptr;
    own.linked_ = true;
    (last_ ? link(*last_).after_ : first_) = &element;
    last_ = &element;
    ++size_;
  }

  /// Nothing happens to one that has left already.
  void remove(T& element) noexcept {
    Linked<T>& own = link(element);
    if (!own.linked_) return;
    (own.before_ ? link(*own.before_).after_ : first_) = own.after_;
    (own.after_ ? link(*own.after_).before_ : last_) = own.before_;
    own.linked_ = false;
    --size_;
  }

  T* remove_first() noexcept {
    T* const first = first_;
    if (first) remove(*first);
    return first;
  }

 private:
  static Linked<T>& link(T& element) noexcept { return element; }
  static const Linked<T>& link(const T& element) noexcept { return element; }

  T* first_ = nullptr;
  T* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace millrace::inline v1
