#pragma once
// Packs the fields of a record into bytes and unpacks them, bounds-checked. Plain C++17: the runtime library uses it too.

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace wharf::cuda {

/// The bytes are not those of the expected record: they are damaged, or from another version.
class DamagedRecord : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Appends fields to a text of bytes: numbers as they lie in memory (little endian), texts and lists with their length in front.
class FieldPacker {
 public:
  template <class... Fields>
  void operator()(const Fields&... fields) {
    (pack(fields), ...);
  }
  std::string& bytes() { return bytes_; }

 private:
  template <class Field>
  void pack(const Field& field) {
    if constexpr (std::is_arithmetic_v<Field> || std::is_enum_v<Field>)
      bytes_.append(reinterpret_cast<const char*>(&field), sizeof field);
    else
      const_cast<Field&>(field).fields(*this);
  }
  void pack(const std::string& text) { pack(std::string_view(text)); }
  void pack(const std::string_view& text) {
    pack(static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
  }
  template <class Item>
  void pack(const std::vector<Item>& items) {
    pack(static_cast<std::uint64_t>(items.size()));
    for (const Item& item : items) pack(item);
  }
  std::string bytes_;
};

/// Reads what FieldPacker has appended. Throws DamagedRecord where the bytes end too early.
class FieldUnpacker {
 public:
  explicit FieldUnpacker(std::string_view bytes) : bytes_(bytes) {}

  template <class... Fields>
  void operator()(Fields&... fields) {
    (unpack(fields), ...);
  }
  /// Throws DamagedRecord where bytes are left over.
  void expect_end() const {
    if (!bytes_.empty()) throw DamagedRecord("the record has " + std::to_string(bytes_.size()) + " bytes too many");
  }

 private:
  template <class Field>
  void unpack(Field& field) {
    if constexpr (std::is_same_v<Field, bool>) {
      field = read_bytes(1)[0] != 0;  // any byte: a bool that is neither 0 nor 1 would be undefined behaviour
    } else if constexpr (std::is_arithmetic_v<Field> || std::is_enum_v<Field>) {
      std::memcpy(&field, read_bytes(sizeof field).data(), sizeof field);
    } else {
      field.fields(*this);
    }
  }
  void unpack(std::string& text) { text = std::string(read_bytes(length(1))); }
  void unpack(std::string_view& text) { text = read_bytes(length(1)); }  // a view of the bytes that were given
  template <class Item>
  void unpack(std::vector<Item>& items) {
    items.resize(length(1));  // an item has at least a byte, so damage cannot ask for more memory than a multiple of the record
    for (Item& item : items) unpack(item);
  }
  std::uint64_t length(std::uint64_t bytes_per_item) {
    std::uint64_t length = 0;
    unpack(length);
    if (length > bytes_.size() / bytes_per_item)
      throw DamagedRecord("the record names a length of " + std::to_string(length) + " beyond its end");
    return length;
  }
  std::string_view read_bytes(std::uint64_t size) {
    if (size > bytes_.size()) throw DamagedRecord("the record ends " + std::to_string(size - bytes_.size()) + " bytes too early");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::string_view bytes_;
};

template <class Record>
std::string packed(const Record& record) {
  FieldPacker packer;
  packer(record);
  return std::move(packer.bytes());
}

/// Throws DamagedRecord where the bytes are not exactly one `Record`.
template <class Record>
Record unpacked(std::string_view bytes) {
  FieldUnpacker unpacker(bytes);
  Record record;
  unpacker(record);
  unpacker.expect_end();
  return record;
}

}  // namespace wharf::cuda
