#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace tendril::io {

// A small reader of Alembic archives, written from the description of the format and not from our writer. Anything that
// is not as described is a std::runtime_error.

struct OgawaProperty {
  enum class Kind { compound, scalar, array };
  Kind kind = Kind::compound;
  int pod = 0, extent = 0, time_sampling = 0;
  bool one_value = false, constant = false;
  std::string metadata;
  std::vector<std::string> samples;        // bytes of each, repeated ones too
  std::vector<std::string> digests;        // of the stored ones
  std::vector<std::uint32_t> text_counts;  // of arrays of texts
  std::map<std::string, OgawaProperty> children;

  template <class T>
  std::vector<T> values(std::size_t sample = 0) const {
    const std::string& bytes = samples.at(sample);
    if (bytes.size() % sizeof(T) != 0) throw std::runtime_error("a sample has a part of a value");
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
};

struct OgawaObject {
  std::string metadata;
  std::map<std::string, OgawaProperty> properties;
  std::map<std::string, OgawaObject> children;
};

struct OgawaTimes {
  std::uint32_t samples = 0;
  double cycle = 0;
  std::vector<double> stored;

  double at(std::size_t sample) const {
    return stored.size() > 1 ? stored.at(sample) : stored.at(0) + cycle * double(sample);
  }
};

struct OgawaArchive {
  int library_version = 0;
  std::string metadata;
  std::vector<OgawaTimes> times;
  OgawaObject top;
};

OgawaArchive read_ogawa(const std::filesystem::path& path);

}  // namespace tendril::io
