#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "rod/state.h"

namespace tendril::session {

// a message that is not what web/PROTOCOL.md says
struct MessageError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// The fields of a message, each checked for its type, size and range; they throw MessageError.
class MessageFields {
 public:
  explicit MessageFields(const nlohmann::json& message) : message_(message) {}

  bool has(const char* key) const { return message_.contains(key); }
  bool boolean(const char* key) const;
  int integer(const char* key, int low, int high) const;
  double number(const char* key, double low, double high) const;
  std::string text(const char* key, std::size_t most_bytes) const;
  Vec3d vec3(const char* key) const;        // within 1e6 m
  Quatd quat(const char* key) const;        // unit
  std::string toml(const char* key) const;  // a number, boolean, text, or an array of them, as TOML writes it

 private:
  const nlohmann::json& get(const char* key) const;
  std::vector<double> numbers(const char* key, std::size_t count) const;

  const nlohmann::json& message_;
};

// a text that is a JSON object with a "type"; throws MessageError
nlohmann::json parse_message(std::string_view text);

}  // namespace tendril::session
