#include "io/npz.h"

#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <cstring>
#include <limits>

// A .npz file is a zip archive of .npy files, here stored without compression:
//   per array: local header, name, data; then one central header per array, then the end record.
// An .npy file (version 1) is a magic, the length of its header, and a Python literal that gives type, order and shape.

namespace tendril::io {
namespace {

static_assert(std::endian::native == std::endian::little, "fields are copied as they lie in memory");

constexpr std::uint32_t local_magic = 0x04034b50, central_magic = 0x02014b50, end_magic = 0x06054b50;
constexpr std::uint16_t zip_version = 20;
constexpr std::uint32_t zip_epoch = 0x00210000;  // 1980-01-01: the same arrays give the same bytes
constexpr std::size_t local_size = 30, central_size = 46, end_size = 22;
constexpr std::size_t largest_entry = std::numeric_limits<std::uint32_t>::max();

template <class T>
void put(std::vector<char>& out, T value) {
  const char* bytes = reinterpret_cast<const char*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof(T));
}

void put(std::vector<char>& out, const std::string& text) { out.insert(out.end(), text.begin(), text.end()); }

std::string npy_header(const NpyArray& array) {
  std::string shape;
  for (std::size_t n : array.shape) shape += fmt::format("{}, ", n);
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", array.type, shape);
  const std::size_t prefix = 10, aligned = (prefix + text.size() + 1 + 63) / 64 * 64;
  text.append(aligned - prefix - text.size() - 1, ' ');
  return text + '\n';
}

std::vector<char> npy_bytes(const NpyArray& array) {
  std::vector<char> out;
  const std::string header = npy_header(array);
  put(out, std::string("\x93NUMPY\x01\x00", 8));
  put(out, std::uint16_t(header.size()));
  put(out, header);
  out.insert(out.end(), array.bytes.begin(), array.bytes.end());
  return out;
}

std::uint32_t checksum(std::span<const char> bytes) {
  return std::uint32_t(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

// the fields that local and central headers share
void put_entry(std::vector<char>& out, std::uint32_t crc, std::size_t size, const std::string& name) {
  put(out, zip_version);
  put<std::uint16_t>(out, 0);  // flags
  put<std::uint16_t>(out, 0);  // stored
  put(out, zip_epoch);
  put(out, crc);
  put(out, std::uint32_t(size));
  put(out, std::uint32_t(size));
  put(out, std::uint16_t(name.size()));
  put<std::uint16_t>(out, 0);  // extra field
}

// a view that refuses to read past its end
class View {
 public:
  View(std::span<const char> bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  std::span<const char> part(std::size_t from, std::size_t size) const {
    if (from > bytes_.size() || size > bytes_.size() - from) fail("is cut short");
    return bytes_.subspan(from, size);
  }
  template <class T>
  T at(std::size_t from) const {
    T value;
    std::memcpy(&value, part(from, sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string text(std::size_t from, std::size_t size) const {
    const auto bytes = part(from, size);
    return {bytes.begin(), bytes.end()};
  }
  std::size_t size() const { return bytes_.size(); }
  [[noreturn]] void fail(const std::string& what) const { throw FileError(fmt::format("{}: {}", file_, what)); }

 private:
  std::span<const char> bytes_;
  const std::string& file_;
};

// the value of a key in an .npy header, from behind the colon on
std::string header_value(const View& view, const std::string& header, const std::string& key) {
  const std::size_t found = header.find("'" + key + "':");
  if (found == std::string::npos) view.fail("an array has no '" + key + "'");
  const std::size_t start = header.find_first_not_of(' ', found + key.size() + 3);
  return start == std::string::npos ? "" : header.substr(start);
}

std::vector<std::size_t> parse_shape(const View& view, const std::string& text) {
  const std::size_t close = text.find(')');
  if (text.empty() || text[0] != '(' || close == std::string::npos)
    view.fail("an array has a shape that cannot be read");
  std::vector<std::size_t> shape;
  for (std::size_t i = 1; i < close;) {
    if (text[i] == ',' || text[i] == ' ') {
      ++i;
      continue;
    }
    std::size_t value = 0, digits = 0;
    for (; i < close && text[i] >= '0' && text[i] <= '9'; ++i, ++digits)
      value = 10 * value + std::size_t(text[i] - '0');
    if (digits == 0 || digits > 12) view.fail("an array has a shape that cannot be read");
    shape.push_back(value);
  }
  return shape;
}

// bytes of one value of an .npy type; texts have four bytes per character
std::size_t value_size(const View& view, const std::string& type) {
  std::size_t size = 0;
  for (std::size_t i = 2; i < type.size() && i < 8; ++i)
    size = type[i] >= '0' && type[i] <= '9' ? 10 * size + std::size_t(type[i] - '0') : 0;
  if (type.size() < 3 || (type[0] != '<' && type[0] != '|') || size == 0) view.fail("an array has an unknown type");
  return type[1] == 'U' ? 4 * size : size;
}

NpyArray parse_npy(const View& view) {
  if (view.text(0, 6) != "\x93NUMPY") view.fail("an entry is not an array");
  const bool long_header = view.at<std::uint8_t>(6) > 1;
  const std::size_t start = long_header ? 12 : 10;
  const std::size_t length = long_header ? view.at<std::uint32_t>(8) : view.at<std::uint16_t>(8);
  const std::string header = view.text(start, length);
  if (header_value(view, header, "fortran_order").rfind("False", 0) != 0) view.fail("an array has its columns first");

  NpyArray array;
  const std::string type = header_value(view, header, "descr");
  const std::size_t quote = type.find('\'', 1);
  if (type.empty() || type[0] != '\'' || quote == std::string::npos) view.fail("an array has an unknown type");
  array.type = type.substr(1, quote - 1);
  array.shape = parse_shape(view, header_value(view, header, "shape"));

  // count before multiplying: an absurd shape must not wrap around
  const std::size_t available = view.size() - start - length;
  std::size_t expected = value_size(view, array.type);
  for (std::size_t n : array.shape) {
    if (n != 0 && expected > available / n) view.fail("an array is larger than its file");
    expected *= n;
  }
  if (expected != available) view.fail("an array does not have the size of its shape");
  const auto data = view.part(start + length, available);
  array.bytes.assign(data.begin(), data.end());
  return array;
}

// where the end record starts: the last place that looks like it and reaches exactly to the end of the file
std::size_t find_end(const View& view) {
  for (std::size_t comment = 0; comment < 65536 && end_size + comment <= view.size(); ++comment) {
    const std::size_t at = view.size() - end_size - comment;
    if (view.at<std::uint32_t>(at) == end_magic && view.at<std::uint16_t>(at + 20) == comment) return at;
  }
  view.fail("is not a .npz file, or is cut short");
}

}  // namespace

std::vector<char> npz_bytes(const NpzArrays& arrays) {
  std::vector<char> out, central;
  for (const auto& [key, array] : arrays) {
    const std::string name = key + ".npy";
    const std::vector<char> data = npy_bytes(array);
    if (out.size() + data.size() > largest_entry / 2) throw FileError(key + ": an array is too large for a .npz file");
    const std::uint32_t crc = checksum(data);
    put(central, central_magic);
    put(central, zip_version);
    put_entry(central, crc, data.size(), name);
    put<std::uint16_t>(central, 0);  // comment
    put<std::uint16_t>(central, 0);  // disk
    put<std::uint16_t>(central, 0);  // attributes
    put<std::uint32_t>(central, 0);
    put(central, std::uint32_t(out.size()));
    put(central, name);
    put(out, local_magic);
    put_entry(out, crc, data.size(), name);
    put(out, name);
    out.insert(out.end(), data.begin(), data.end());
  }
  const std::size_t start = out.size();
  out.insert(out.end(), central.begin(), central.end());
  put(out, end_magic);
  put<std::uint32_t>(out, 0);  // disks
  put(out, std::uint16_t(arrays.size()));
  put(out, std::uint16_t(arrays.size()));
  put(out, std::uint32_t(central.size()));
  put(out, std::uint32_t(start));
  put<std::uint16_t>(out, 0);  // comment
  return out;
}

void write_npz(const std::filesystem::path& path, const NpzArrays& arrays) { write_file(path, npz_bytes(arrays)); }

NpzArrays parse_npz(std::span<const char> bytes, const std::string& name) {
  const View view(bytes, name);
  const std::size_t end = find_end(view);
  const std::size_t count = view.at<std::uint16_t>(end + 10);
  std::size_t at = view.at<std::uint32_t>(end + 16);
  NpzArrays arrays;
  for (std::size_t k = 0; k < count; ++k) {
    if (view.at<std::uint32_t>(at) != central_magic) view.fail("its list of arrays is damaged");
    if (view.at<std::uint16_t>(at + 10) != 0) view.fail("it is compressed; write it with numpy.savez");
    const std::uint32_t crc = view.at<std::uint32_t>(at + 16), size = view.at<std::uint32_t>(at + 24);
    const std::size_t name_size = view.at<std::uint16_t>(at + 28);
    const std::string entry = view.text(at + central_size, name_size);
    const std::size_t local = view.at<std::uint32_t>(at + 42);
    if (view.at<std::uint32_t>(local) != local_magic) view.fail("its list of arrays is damaged");
    const std::size_t skipped = view.at<std::uint16_t>(local + 26) + view.at<std::uint16_t>(local + 28);
    const auto data = view.part(local + local_size + skipped, size);
    if (checksum(data) != crc) view.fail("array " + entry + " is damaged (its checksum is wrong)");
    const std::string key = entry.ends_with(".npy") ? entry.substr(0, entry.size() - 4) : entry;
    arrays[key] = parse_npy(View(data, name));
    at += central_size + name_size + view.at<std::uint16_t>(at + 30) + view.at<std::uint16_t>(at + 32);
  }
  return arrays;
}

NpzArrays read_npz(const std::filesystem::path& path) { return parse_npz(read_file(path), path.string()); }

}  // namespace tendril::io
