#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/streamed_file.h"

namespace tendril::io {

// Alembic's numbers for the types of values
enum class AbcType : std::uint32_t { u8 = 1, i16 = 4, i32 = 6, f32 = 10, f64 = 11, text = 12 };

// a property of an Alembic object; its samples are already in the file
struct AbcProperty {
  std::string name = {};
  std::string metadata = {};  // key=value;key=value, sorted by key
  bool is_array = true;       // otherwise one value per sample
  AbcType type = AbcType::f32;
  std::uint32_t extent = 1;                 // numbers per value
  bool one_value = false;                   // an array of a single value
  std::uint32_t time_sampling = 0;          // 0: constant
  std::uint32_t repeats = 1;                // a constant that stands for so many samples
  std::vector<std::uint64_t> samples = {};  // words of the sample group: one per sample, of an array two
};

// Writes an Alembic archive (Ogawa) from the leaves to the root: data as it comes, then the groups that name it by its
// place in the file. What it holds in memory is one word per sample.
class AbcArchive {
 public:
  explicit AbcArchive(const std::filesystem::path& path);

  // each adds one sample to a property
  template <class T>
  void add_sample(AbcProperty& property, const std::vector<T>& values) {
    add_sample(property, std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
  }
  void add_sample(AbcProperty& property, std::string_view bytes);
  void add_texts(AbcProperty& property, const std::vector<std::string>& texts);

  // a compound is its properties and the compounds inside it; the result stands for it in its parent
  struct Compound {
    std::string name, metadata;
    std::uint64_t word = 0;
  };
  Compound write_compound(const std::string& name, const std::string& metadata,
                          const std::vector<AbcProperty>& properties, const std::vector<Compound>& compounds = {});

  // an object has one compound of properties (none: an empty name) and children
  struct Object {
    std::string name, metadata;
    std::uint64_t word = 0;
  };
  Object write_object(const std::string& name, const std::string& metadata, const Compound& properties,
                      const std::vector<Object>& children = {});

  // `top` stands for the archive itself. Times: seconds of the samples of time sampling 1.
  void finish(const Object& top, const std::string& application, const std::vector<double>& times);

 private:
  std::uint64_t write_data(std::string_view bytes);
  std::uint64_t write_group(const std::vector<std::uint64_t>& children);
  std::uint8_t metadata_index(const std::string& metadata);
  void put_header(std::string& headers, const AbcProperty& property);

  StreamedFile out_;
  std::map<std::string, std::uint8_t> metadata_;
  std::vector<std::string> indexed_metadata_;
};

}  // namespace tendril::io
