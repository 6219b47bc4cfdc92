#include "io/formats/abc_archive.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace tendril::io {

namespace {

constexpr std::uint64_t data_bit = 1ull << 63;  // in a group's word: data, otherwise a group
constexpr std::uint64_t empty_data = data_bit, empty_group = 0;
constexpr double acyclic = std::numeric_limits<double>::max() / 32;  // Alembic's mark for a list of times
constexpr int library_version = 10803;                               // of the Alembic whose layout this is

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// the low 1, 2 or 4 bytes
void put_sized(std::string& bytes, std::uint32_t value, std::uint32_t hint) {
  bytes.append(reinterpret_cast<const char*>(&value), std::size_t(1) << hint);
}

std::uint64_t mixed(std::uint64_t h) {
  h = (h ^ (h >> 31)) * 0x9e3779b97f4a7c15ull;
  return h ^ (h >> 29);
}

// readers take samples of the same digest for the same sample, so every bit of it depends on every byte
struct Digest {
  std::uint64_t low = 0x243f6a8885a308d3ull, high = 0x13198a2e03707344ull;
};

Digest digest_of(std::string_view bytes) {
  Digest d;
  for (std::size_t k = 0; k < bytes.size(); k += 8) {
    std::uint64_t piece = 0;
    std::memcpy(&piece, bytes.data() + k, std::min<std::size_t>(8, bytes.size() - k));
    d.low = mixed(d.low ^ piece) + d.high;
    d.high = std::rotl(d.high, 27) ^ mixed(piece + d.low);
  }
  d.low = mixed(d.low ^ bytes.size()), d.high = mixed(d.high + d.low);
  return {mixed(d.low + d.high), mixed(d.high)};
}

bool evenly_spaced(const std::vector<double>& times) {
  if (times.size() < 3) return true;
  const double step = (times.back() - times.front()) / double(times.size() - 1);
  for (std::size_t k = 0; k < times.size(); ++k)
    if (std::abs(times[k] - times.front() - double(k) * step) > 1e-6 * step) return false;
  return true;
}

// sampling 0 is the one of constants; 1 is a start and a step where that says it, otherwise all times
std::string time_samplings(const std::vector<double>& times) {
  std::string bytes;
  const auto sampling = [&](std::size_t samples, double cycle, const std::vector<double>& stored) {
    put(bytes, std::uint32_t(samples));
    put(bytes, cycle);
    put(bytes, std::uint32_t(stored.size()));
    for (const double time : stored) put(bytes, time);
  };
  sampling(1, 1.0, {0.0});
  if (times.size() == 1)
    sampling(1, 1.0, times);
  else if (evenly_spaced(times))
    sampling(times.size(), (times.back() - times.front()) / double(times.size() - 1), {times.front()});
  else
    sampling(times.size(), acyclic, times);
  return bytes;
}

}  // namespace

// 16 bytes: the magic, a byte that says whether it is finished, the version, the place of the root
AbcArchive::AbcArchive(const std::filesystem::path& path) : out_(path) {
  out_.write(std::string_view("Ogawa\0\0\1\0\0\0\0\0\0\0\0", 16));
}

std::uint64_t AbcArchive::write_data(std::string_view bytes) {
  if (bytes.empty()) return empty_data;
  const std::uint64_t place = out_.size();
  out_.write_value(std::uint64_t(bytes.size()));
  out_.write(bytes);
  return place | data_bit;
}

std::uint64_t AbcArchive::write_group(const std::vector<std::uint64_t>& children) {
  if (children.empty()) return empty_group;
  const std::uint64_t place = out_.size();
  out_.write_value(std::uint64_t(children.size()));
  out_.write_values(std::span<const std::uint64_t>(children));
  return place;
}

void AbcArchive::add_sample(AbcProperty& property, std::string_view bytes) {
  const Digest digest = digest_of(bytes);
  property.samples.push_back(out_.size() | data_bit);
  out_.write_value(std::uint64_t(sizeof digest + bytes.size()));
  out_.write_value(digest);
  out_.write(bytes);
  if (property.is_array) property.samples.push_back(empty_data);  // its size follows from its bytes
}

// each text ends with a zero byte; their number does not follow from their bytes
void AbcArchive::add_texts(AbcProperty& property, const std::vector<std::string>& texts) {
  assert(property.type == AbcType::text && property.is_array);
  std::string bytes, count;
  for (const std::string& text : texts) bytes += text.substr(0, text.find('\0')) + '\0';
  add_sample(property, bytes);
  put(count, std::uint32_t(texts.size()));
  property.samples.back() = write_data(count);
}

// 0 is no metadata
std::uint8_t AbcArchive::metadata_index(const std::string& metadata) {
  if (metadata.empty()) return 0;
  const auto [entry, fresh] = metadata_.try_emplace(metadata, std::uint8_t(indexed_metadata_.size() + 1));
  if (fresh) indexed_metadata_.push_back(metadata);
  assert(indexed_metadata_.size() < 255 && metadata.size() < 256);
  return entry->second;
}

void AbcArchive::put_header(std::string& headers, const AbcProperty& p) {
  const auto stored = std::uint32_t(p.samples.size() / (p.is_array ? 2 : 1)), samples = stored * p.repeats;
  assert(stored == 1 || p.repeats == 1);
  const auto name_size = std::uint32_t(p.name.size());
  const std::uint32_t largest = std::max({samples, name_size, std::uint32_t(p.metadata.size())});
  const std::uint32_t hint = largest < 256 ? 0 : largest < 65536 ? 1 : 2;
  std::uint32_t info = p.is_array ? (p.one_value ? 3 : 2) : 1;
  info |= hint << 2 | std::uint32_t(p.type) << 4;
  info |= std::uint32_t(p.time_sampling != 0) << 8;
  info |= 1u << 10;                          // samples have one size
  info |= std::uint32_t(stored == 1) << 11;  // constant
  info |= p.extent << 12 | std::uint32_t(metadata_index(p.metadata)) << 20;
  put(headers, info);
  put_sized(headers, samples, hint);
  if (p.time_sampling != 0) put_sized(headers, p.time_sampling, hint);
  put_sized(headers, name_size, hint);
  headers += p.name;
}

AbcArchive::Compound AbcArchive::write_compound(const std::string& name, const std::string& metadata,
                                                const std::vector<AbcProperty>& properties,
                                                const std::vector<Compound>& compounds) {
  std::vector<std::uint64_t> children;
  std::string headers;
  for (const AbcProperty& property : properties) {
    children.push_back(write_group(property.samples));
    put_header(headers, property);
  }
  for (const Compound& compound : compounds) {
    assert(compound.name.size() < 256);
    children.push_back(compound.word);
    put(headers, std::uint32_t(metadata_index(compound.metadata)) << 20);
    put_sized(headers, std::uint32_t(compound.name.size()), 0);
    headers += compound.name;
  }
  if (children.empty()) return {name, metadata, empty_group};
  children.push_back(write_data(headers));
  return {name, metadata, write_group(children)};
}

// its own compound holds that of its schema; the headers of its children end with two digests that no reader needs
AbcArchive::Object AbcArchive::write_object(const std::string& name, const std::string& metadata,
                                            const Compound& properties, const std::vector<Object>& children) {
  std::vector<std::uint64_t> words;
  words.push_back(properties.name.empty() ? empty_group : write_compound("", "", {}, {properties}).word);
  std::string headers;
  for (const Object& child : children) {
    words.push_back(child.word);
    put(headers, std::uint32_t(child.name.size()));
    headers += child.name;
    put(headers, metadata_index(child.metadata));
  }
  headers.append(32, '\0');
  words.push_back(write_data(headers));
  return {name, metadata, write_group(words)};
}

void AbcArchive::finish(const Object& top, const std::string& application, const std::vector<double>& times) {
  std::string metadata_table;
  for (const std::string& text : indexed_metadata_) metadata_table += char(text.size()) + text;
  const auto number = [&](int value) {
    std::string bytes;
    put(bytes, value);
    return write_data(bytes);
  };
  const std::uint64_t root = write_group({number(0), number(library_version), top.word,
                                          write_data("_ai_AlembicVersion=Alembic 1.8.3;_ai_Application=" + application),
                                          write_data(time_samplings(times)), write_data(metadata_table)});
  out_.overwrite(8, {reinterpret_cast<const char*>(&root), sizeof root});
  out_.overwrite(5, "\xff");
  out_.finish();
}

}  // namespace tendril::io
