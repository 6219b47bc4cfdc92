#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/file.h"

namespace tendril::io {

// An Alembic archive (Ogawa) that is read: its tree of objects and properties at once, samples when asked for. What is
// not as the format has it is a FileError.
class AbcInput {
 public:
  struct Property {
    std::string name, metadata;
    bool is_compound = false, is_array = false;
    int type = 0, extent = 0, time_sampling = 0;     // type: as AbcType has them
    std::uint32_t samples = 0, first = 1, last = 0;  // stored are sample 0 and those from first to last
    std::uint64_t place = 0;                         // of the group that names them
    std::vector<Property> children;                  // of a compound

    const Property* find(const std::string& name) const;
  };
  struct Object {
    std::string name, metadata;
    std::vector<Property> properties;
    std::vector<Object> children;

    bool is(const std::string& schema) const { return metadata.find("schema=" + schema) != std::string::npos; }
    const Property* find(const std::string& name) const;
  };

  AbcInput(std::span<const char> bytes, std::string file);

  const Object& top() const { return top_; }
  double time(const Property& property, std::uint32_t sample) const;     // [s]
  std::uint32_t sample_at(const Property& property, double time) const;  // the last one that is not later

  // the values of a sample; numbers of other types are converted
  std::vector<double> numbers(const Property& property, std::uint32_t sample) const;
  std::vector<std::string> texts(const Property& property, std::uint32_t sample) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  struct Times {
    double cycle = 1;            // [s]
    std::vector<double> stored;  // in a cycle, or all
  };
  class Cursor;
  std::uint64_t word(std::uint64_t place) const;
  std::vector<std::uint64_t> group(std::uint64_t child) const;
  std::span<const char> data(std::uint64_t child) const;
  std::span<const char> sample(const Property& property, std::uint32_t number) const;
  void read_times(std::span<const char> bytes);
  void count_text(std::size_t size);
  Object read_object(std::uint64_t child, int depth);
  std::vector<Property> read_compound(std::uint64_t child, int depth);
  Property read_property(Cursor& headers, std::uint64_t child, int depth);

  std::vector<char> bytes_;
  std::string file_;
  std::vector<Times> times_;
  std::vector<std::string> metadata_;
  std::size_t text_size_ = 0;  // of all names so far: a small file may name one place again and again
  Object top_;
};

}  // namespace tendril::io
