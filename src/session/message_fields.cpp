#include "session/message_fields.h"

#include <fmt/format.h>

#include <cmath>

namespace tendril::session {
namespace {

using nlohmann::json;

constexpr std::size_t longest_array = 10'000;

std::string toml_of(const json& value, int depth) {
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_number()) {
    const double number = value.get<double>();
    if (!std::isfinite(number)) throw MessageError("value is not finite");
    const std::string digits = fmt::format("{}", number);
    return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
  }
  if (value.is_string()) return value.dump();  // the escapes of JSON are those of TOML
  if (!value.is_array() || depth > 3 || value.size() > longest_array)
    throw MessageError("value is to be a number, a boolean, a text, or an array of them");
  std::string list;
  for (const json& entry : value) list += (list.empty() ? "" : ", ") + toml_of(entry, depth + 1);
  return "[" + list + "]";
}

}  // namespace

const json& MessageFields::get(const char* key) const {
  const auto found = message_.find(key);
  if (found == message_.end()) throw MessageError(fmt::format("{} is missing", key));
  return *found;
}

bool MessageFields::boolean(const char* key) const {
  const json& value = get(key);
  if (!value.is_boolean()) throw MessageError(fmt::format("{} is to be true or false", key));
  return value.get<bool>();
}

double MessageFields::number(const char* key, double low, double high) const {
  const json& value = get(key);
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (!(number >= low && number <= high))
    throw MessageError(fmt::format("{} is to be a number from {} to {}", key, low, high));
  return number;
}

int MessageFields::integer(const char* key, int low, int high) const {
  const double value = number(key, low, high);
  if (value != std::floor(value)) throw MessageError(fmt::format("{} is to be a whole number", key));
  return int(value);
}

std::string MessageFields::text(const char* key, std::size_t most_bytes) const {
  const json& value = get(key);
  if (!value.is_string() || value.get_ref<const std::string&>().size() > most_bytes)
    throw MessageError(fmt::format("{} is to be a text of at most {} bytes", key, most_bytes));
  return value.get<std::string>();
}

std::vector<double> MessageFields::numbers(const char* key, std::size_t count) const {
  const json& value = get(key);
  std::vector<double> numbers;
  if (value.is_array() && value.size() == count)
    for (const json& entry : value)
      if (entry.is_number() && std::abs(entry.get<double>()) <= 1e6) numbers.push_back(entry.get<double>());
  if (numbers.size() != count) throw MessageError(fmt::format("{} is to be {} numbers within 1e6", key, count));
  return numbers;
}

Vec3d MessageFields::vec3(const char* key) const {
  const std::vector<double> x = numbers(key, 3);
  return {x[0], x[1], x[2]};
}

Quatd MessageFields::quat(const char* key) const {
  const std::vector<double> x = numbers(key, 4);
  const Quatd q{x[0], x[1], x[2], x[3]};
  if (!(norm(q) > 1e-3)) throw MessageError(fmt::format("{} has no length", key));
  return normalized(q);
}

std::string MessageFields::toml(const char* key) const { return toml_of(get(key), 0); }

json parse_message(std::string_view text) {
  json message = json::parse(text, nullptr, false);
  if (message.is_discarded()) throw MessageError("this is not JSON");
  if (!message.is_object() || !message.contains("type") || !message["type"].is_string())
    throw MessageError("a message is an object with a type");
  return message;
}

}  // namespace tendril::session
