#pragma once
// Saves and loads the state of a simulation at a kernel boundary, as bytes in named sections of known length. A block describes its state
// once, for both directions:
//
//   void Arbiter::archive(Archive& file) { file(turn_, free_at_); }
//
// Trivially copyable values are saved as their bytes in this build's layout, so builds cannot exchange checkpoints. A block with pointers
// saves what they refer to. Nothing in flight is saved, because nothing is in flight at a kernel boundary.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wharf {

class Archive;

template <class T, class = void>
struct HasArchive : std::false_type {};
template <class T>
struct HasArchive<T, std::void_t<decltype(std::declval<T&>().archive(std::declval<Archive&>()))>> : std::true_type {};

class Archive {
 public:
  /// For saving.
  Archive() = default;
  /// For loading the result of packed(). `name` is the file's name in messages. Throws InputError if the data are damaged.
  Archive(std::string name, std::string_view packed);

  bool loads() const { return loads_; }
  /// Returns what has been saved, compressed and with a checksum.
  std::string packed() const;
  /// Throws InputError unless all sections of the file have been loaded.
  void expect_end() const;

  /// Saves or loads each of the values.
  template <class... Values>
  void operator()(Values&... values) {
    (one(values), ...);
  }
  /// Saves or loads the elements of an object that keeps its size.
  template <class Vector>
  void elements(Vector& vector) {
    std::uint64_t size = vector.size();
    one(size);
    if (size != vector.size()) damaged("has another number of elements");
    using Element = std::decay_t<decltype(*vector.data())>;
    if constexpr (!HasArchive<Element>::value && std::is_trivially_copyable_v<Element>)
      raw(vector.data(), vector.size() * sizeof(Element));
    else
      for (Element& element : vector) one(element);
  }
  /// Saves or loads a section of the file. `body` saves or loads its contents.
  template <class Body>
  void section(const std::string& name, Body body) {
    const std::size_t outer_end = begin_section(name);
    body();
    end_section(outer_end);
  }
  /// When loading, skips the rest of the section.
  void skip_rest() { at_ = end_; }

  /// Throws SimulationError unless `quiet`: the block is at rest. `what` names the block.
  void expect_quiet(bool quiet, const std::string& what) const;
  /// Throws InputError: the state of `what` cannot be saved or loaded.
  [[noreturn]] static void refuse(const std::string& what);

 private:
  template <class T>
  void one(T& value) {
    static_assert(!std::is_pointer_v<T>, "a pointer means nothing in another process");
    if constexpr (HasArchive<T>::value)
      value.archive(*this);
    else if constexpr (std::is_trivially_copyable_v<T>)
      raw(&value, sizeof value);
    else
      many(value);
  }
  template <class T, class Allocator>
  void many(std::vector<T, Allocator>& values) {
    if constexpr (HasArchive<T>::value || !std::is_trivially_copyable_v<T>) {
      values.resize(count_of(values.size(), 1));
      for (T& value : values) one(value);
    } else {
      const std::size_t size = count_of(values.size(), sizeof(T));
      if constexpr (std::is_default_constructible_v<T>)
        values.resize(size);
      else if (size != values.size())
        damaged("has another number of elements");
      raw(values.data(), size * sizeof(T));
    }
  }
  template <class Value>
  void many(std::unordered_map<std::uint64_t, Value>& map) {
    std::vector<std::uint64_t> keys;
    for (const auto& [key, value] : map) keys.push_back(key);
    std::sort(keys.begin(), keys.end());  // equal states must give equal bytes
    one(keys);
    if (loads_) map.clear();
    for (const std::uint64_t key : keys) one(map[key]);
  }
  template <class First, class Second>
  void many(std::pair<First, Second>& pair) {
    one(pair.first);
    one(pair.second);
  }
  void many(std::string& text) {
    text.resize(count_of(text.size(), 1));
    raw(text.data(), text.size());
  }
  /// Saves or loads the number of elements, each of which takes at least `bytes`.
  std::size_t count_of(std::size_t size, std::size_t bytes);
  void raw(void* bytes, std::size_t size);
  std::size_t begin_section(const std::string& name);
  void end_section(std::size_t outer_end);
  [[noreturn]] void damaged(const std::string& how) const;

  bool loads_ = false;
  std::string name_;  // the loaded file's name
  std::string bytes_;
  std::string section_;           // the section begun last
  std::size_t at_ = 0, end_ = 0;  // loading: the next byte, and the end of the section
};

}  // namespace wharf
