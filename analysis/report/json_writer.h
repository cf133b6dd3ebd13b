// Writes one JSON document front to back. Keys stay in the order of the calls and numbers have one
// spelling each, so equal results give equal bytes.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simpler::report {

// Indents by two spaces. The caller balances Begin and End calls and gives every value inside an
// object a key; a document is complete when the outermost container is closed.
class JsonWriter {
 public:
  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }

  // The key of the next value or container.
  void Key(std::string_view key);

  void Value(std::string_view text);
  void Value(const std::string& text) { Value(std::string_view(text)); }
  void Value(const char* text) { Value(std::string_view(text)); }
  void Value(bool value);
  // Shortest spelling that reads back as the same double; null when it is not finite.
  void Value(double value);
  template <std::integral T>
  void Value(T value) {
    Scalar(std::to_string(value));
  }
  // null when absent.
  template <typename T>
  void Value(const std::optional<T>& value) {
    value ? Value(*value) : Null();
  }
  void Null() { Scalar("null"); }
  // A 64-bit identifier as a decimal string, which survives readers that parse numbers as doubles.
  void Id(uint64_t id) { Value(std::to_string(id)); }

  template <typename T>
  void Member(std::string_view key, const T& value) {
    Key(key);
    Value(value);
  }
  void NullMember(std::string_view key) {
    Key(key);
    Null();
  }

  // The document, closed by a line end. Leaves the writer empty.
  std::string Take();

 private:
  void Open(char bracket);
  void Close(char bracket);
  void Scalar(std::string_view text);
  void StartValue();
  void NewLine();
  void Quote(std::string_view text);

  std::string out_;
  std::vector<bool> has_elements_;  // one per open container
  bool after_key_ = false;
};

}  // namespace simpler::report
