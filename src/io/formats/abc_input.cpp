#include "io/formats/abc_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/formats/abc_archive.h"

namespace tendril::io {
namespace {

constexpr std::uint64_t data_bit = 1ull << 63;
constexpr int deepest = 64;  // objects within objects
constexpr std::size_t digest_size = 16;
constexpr double acyclic = std::numeric_limits<double>::max() / 64;  // cycles beyond it mark a list of times

template <class Items>
auto* find_named(Items& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

template <class T>
void append_numbers(std::span<const char> bytes, std::vector<double>& numbers) {
  for (std::size_t k = 0; k + sizeof(T) <= bytes.size(); k += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + k, sizeof(T));
    numbers.push_back(static_cast<double>(value));
  }
}

}  // namespace

// numbers and texts of a block, one after the other
class AbcInput::Cursor {
 public:
  Cursor(const AbcInput& input, std::span<const char> bytes) : input_(input), bytes_(bytes) {}

  bool at_end() const { return at_ == bytes_.size(); }
  std::span<const char> take(std::size_t count) {
    if (count > bytes_.size() - at_) input_.fail("a block of headers ends too early");
    at_ += count;
    return bytes_.subspan(at_ - count, count);
  }
  std::string text(std::size_t count) {
    const std::span<const char> bytes = take(count);
    return {bytes.begin(), bytes.end()};
  }
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  // in one, two or four bytes
  std::uint32_t sized(std::uint32_t hint) {
    return hint == 0 ? number<std::uint8_t>() : hint == 1 ? number<std::uint16_t>() : number<std::uint32_t>();
  }

 private:
  const AbcInput& input_;
  std::span<const char> bytes_;
  std::size_t at_ = 0;
};

const AbcInput::Property* AbcInput::Property::find(const std::string& wanted) const {
  return find_named(children, wanted);
}
const AbcInput::Property* AbcInput::Object::find(const std::string& wanted) const {
  return find_named(properties, wanted);
}

AbcInput::AbcInput(std::span<const char> bytes, std::string file)
    : bytes_(bytes.begin(), bytes.end()), file_(std::move(file)) {
  if (bytes_.size() < 16 || std::string_view(bytes_.data(), 5) != "Ogawa")
    fail("this is no Alembic file of the Ogawa kind, which starts with `Ogawa`; older ones are HDF5: save it again");
  if (bytes_[5] != '\xff') fail("its writing was not finished");
  const std::vector<std::uint64_t> root = group(word(8));
  if (root.size() != 6) fail(fmt::format("its root has {} parts, and 6 are expected", root.size()));
  read_times(data(root[4]));
  metadata_.push_back("");
  for (Cursor table(*this, data(root[5])); !table.at_end();)
    metadata_.push_back(table.text(table.number<std::uint8_t>()));
  top_ = read_object(root[2], 0);
}

void AbcInput::fail(const std::string& what) const { throw FileError(file_ + ": " + what); }

std::uint64_t AbcInput::word(std::uint64_t place) const {
  if (place > bytes_.size() || bytes_.size() - place < 8) fail("it is cut short: a part lies behind its end");
  std::uint64_t value;
  std::memcpy(&value, bytes_.data() + place, 8);
  return value;
}

std::vector<std::uint64_t> AbcInput::group(std::uint64_t child) const {
  if (child & data_bit) fail("data stand where a group should be");
  if (child == 0) return {};
  const std::uint64_t count = word(child);
  if (count > (bytes_.size() - child - 8) / 8) fail("a group has more parts than the file has room for");
  std::vector<std::uint64_t> children;
  for (std::uint64_t k = 0; k < count; ++k) children.push_back(word(child + 8 + 8 * k));
  return children;
}

std::span<const char> AbcInput::data(std::uint64_t child) const {
  if (!(child & data_bit)) fail("a group stands where data should be");
  const std::uint64_t place = child & ~data_bit;
  if (place == 0) return {};
  const std::uint64_t size = word(place);
  if (size > bytes_.size() - place - 8) fail("it is cut short: data lie behind its end");
  return {bytes_.data() + place + 8, size};
}

void AbcInput::read_times(std::span<const char> bytes) {
  for (Cursor cursor(*this, bytes); !cursor.at_end();) {
    cursor.number<std::uint32_t>();  // the most samples that a property has, which say it themselves
    Times times;
    times.cycle = cursor.number<double>();
    const auto count = cursor.number<std::uint32_t>();
    append_numbers<double>(cursor.take(std::size_t(count) * sizeof(double)), times.stored);
    if (times.stored.empty() || !std::isfinite(times.cycle)) fail("a time sampling has no times");
    for (double t : times.stored)
      if (!std::isfinite(t)) fail("a time of its samples is not finite");
    times_.push_back(std::move(times));
  }
}

void AbcInput::count_text(std::size_t size) {
  constexpr std::size_t most = 16;  // times the file's own size
  if ((text_size_ += 1 + size) > most * bytes_.size()) fail("its parts name each other again and again");
}

AbcInput::Object AbcInput::read_object(std::uint64_t child, int depth) {
  if (depth > deepest) fail("its objects lie in each other without end");
  const std::vector<std::uint64_t> parts = group(child);
  if (parts.size() < 2) fail("an object has no properties or no headers");
  Object object;
  object.properties = read_compound(parts.front(), depth);
  Cursor headers(*this, data(parts.back()));
  for (std::size_t k = 1; k + 1 < parts.size(); ++k) {
    const std::string name = headers.text(headers.number<std::uint32_t>());
    const auto index = headers.number<std::uint8_t>();
    std::string metadata;
    if (index == 255)
      metadata = headers.text(headers.number<std::uint32_t>());
    else if (index < metadata_.size())
      metadata = metadata_[index];
    count_text(name.size() + metadata.size());
    object.children.push_back(read_object(parts[k], depth + 1));
    object.children.back().name = name, object.children.back().metadata = metadata;
  }
  return object;
}

std::vector<AbcInput::Property> AbcInput::read_compound(std::uint64_t child, int depth) {
  if (depth > deepest) fail("its properties lie in each other without end");
  const std::vector<std::uint64_t> parts = group(child);
  std::vector<Property> properties;
  if (parts.empty()) return properties;
  Cursor headers(*this, data(parts.back()));
  for (std::size_t k = 0; k + 1 < parts.size(); ++k) properties.push_back(read_property(headers, parts[k], depth));
  return properties;
}

// 32 bits of what it is, the numbers of its samples, its name; what they mean stands in abc_archive.cpp, which writes
// them
AbcInput::Property AbcInput::read_property(Cursor& headers, std::uint64_t child, int depth) {
  const auto info = headers.number<std::uint32_t>();
  const std::uint32_t kind = info & 3, hint = info >> 2 & 3;
  Property p;
  p.is_compound = kind == 0, p.is_array = kind >= 2;
  p.type = int(info >> 4 & 15), p.extent = int(info >> 12 & 255), p.place = child;
  if (!p.is_compound) {
    const bool constant = info >> 11 & 1;
    p.samples = headers.sized(hint);
    p.first = constant ? 0 : 1, p.last = constant || p.samples == 0 ? 0 : p.samples - 1;
    if (info >> 9 & 1) p.first = headers.sized(hint), p.last = headers.sized(hint);
    if (info >> 8 & 1) p.time_sampling = int(headers.sized(hint));
    if (p.samples > bytes_.size()) fail("a property has more samples than the file has bytes");
    if (p.time_sampling >= int(times_.size())) fail("a property names times that the file does not have");
  }
  p.name = headers.text(headers.sized(hint));
  const std::uint32_t index = info >> 20 & 255;
  if (index == 255)
    p.metadata = headers.text(headers.sized(hint));
  else if (index < metadata_.size())
    p.metadata = metadata_[index];
  count_text(p.name.size() + p.metadata.size());
  if (p.is_compound) p.children = read_compound(child, depth + 1);
  return p;
}

double AbcInput::time(const Property& property, std::uint32_t sample) const {
  const Times& times = times_[property.time_sampling];
  const std::size_t count = times.stored.size();
  if (times.cycle > acyclic) return times.stored[std::min<std::size_t>(sample, count - 1)];
  return times.stored[sample % count] + times.cycle * double(sample / count);
}

std::uint32_t AbcInput::sample_at(const Property& property, double when) const {
  std::uint32_t low = 0, high = std::max(1u, property.samples);  // sample `low` is not later, or the first
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    const double t = time(property, middle);
    (t <= when + 1e-9 * (1 + std::abs(t)) ? low : high) = middle;
  }
  return low;
}

std::span<const char> AbcInput::sample(const Property& p, std::uint32_t number) const {
  if (p.samples == 0) return {};
  const std::vector<std::uint64_t> stored = group(p.place);
  const std::uint32_t slot = p.last == 0 || number < p.first ? 0 : std::min(number, p.last) - p.first + 1;
  const std::size_t at = std::size_t(slot) * (p.is_array ? 2 : 1);
  if (at >= stored.size()) fail(fmt::format("property {} has fewer samples than it says", p.name));
  const std::span<const char> bytes = data(stored[at]);
  return bytes.size() < digest_size ? std::span<const char>{} : bytes.subspan(digest_size);
}

std::vector<double> AbcInput::numbers(const Property& p, std::uint32_t number) const {
  const std::span<const char> bytes = sample(p, number);
  std::vector<double> result;
  switch (p.type) {
    case 0:  // true or false
    case int(AbcType::u8):
      append_numbers<std::uint8_t>(bytes, result);
      break;
    case 2:
      append_numbers<std::int8_t>(bytes, result);
      break;
    case int(AbcType::i16):
      append_numbers<std::int16_t>(bytes, result);
      break;
    case 5:
      append_numbers<std::uint32_t>(bytes, result);
      break;
    case int(AbcType::i32):
      append_numbers<std::int32_t>(bytes, result);
      break;
    case int(AbcType::f32):
      append_numbers<float>(bytes, result);
      break;
    case int(AbcType::f64):
      append_numbers<double>(bytes, result);
      break;
    default:
      fail(fmt::format("property {} holds values of type {}, which are not read", p.name, p.type));
  }
  return result;
}

// each ends with a zero byte
std::vector<std::string> AbcInput::texts(const Property& p, std::uint32_t number) const {
  if (p.type != int(AbcType::text)) fail(fmt::format("property {} holds no texts", p.name));
  std::vector<std::string> result(1);
  for (const char c : sample(p, number))
    if (c == '\0')
      result.emplace_back();
    else
      result.back() += c;
  result.pop_back();
  return result;
}

}  // namespace tendril::io
