#include "io/ogawa_reader.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace tendril::io {

namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string("ogawa: ") + what);
}

// numbers and texts from a block of bytes, one after the other
class Bytes {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}
  bool at_end() const { return place_ == bytes_.size(); }
  std::string text(std::size_t count) {
    require(count <= bytes_.size() - place_, "a block is too short");
    place_ += count;
    return bytes_.substr(place_ - count, count);
  }
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, text(sizeof(T)).data(), sizeof(T));
    return value;
  }
  // one, two or four bytes
  std::uint32_t sized(std::uint32_t hint) {
    return hint == 0 ? number<std::uint8_t>() : hint == 1 ? number<std::uint16_t>() : number<std::uint32_t>();
  }

 private:
  std::string bytes_;
  std::size_t place_ = 0;
};

class OgawaReader {
 public:
  explicit OgawaReader(std::string file) : file_(std::move(file)) {}

  OgawaArchive read() {
    Bytes head(file_.substr(0, 16));
    require(head.text(5) == "Ogawa", "no such magic");
    require(head.number<std::uint8_t>() == 0xff, "the file was not finished");
    require(head.text(2) == std::string("\0\1", 2), "another version");
    const std::vector<std::uint64_t> root = group(head.number<std::uint64_t>());
    require(root.size() == 6, "the root has not six children");
    require(Bytes(data(root[0])).number<std::int32_t>() == 0, "another file version");
    OgawaArchive archive;
    archive.library_version = Bytes(data(root[1])).number<std::int32_t>();
    archive.metadata = data(root[3]);
    read_times(data(root[4]), archive.times);
    metadata_.push_back("");
    for (Bytes table(data(root[5])); !table.at_end();) metadata_.push_back(table.text(table.number<std::uint8_t>()));
    time_samplings_ = archive.times.size();
    archive.top = object(root[2], "");
    return archive;
  }

 private:
  static constexpr std::uint64_t data_bit = 1ull << 63;

  std::uint64_t word(std::uint64_t place) const {
    require(place <= file_.size() && file_.size() - place >= 8, "an offset is behind the end");
    std::uint64_t value;
    std::memcpy(&value, file_.data() + place, 8);
    return value;
  }
  std::vector<std::uint64_t> group(std::uint64_t child) const {
    require((child & data_bit) == 0, "data where a group should be");
    if (child == 0) return {};
    const std::uint64_t count = word(child);
    require(count <= file_.size() / 8, "a group has too many children");
    std::vector<std::uint64_t> children;
    for (std::uint64_t k = 0; k < count; ++k) children.push_back(word(child + 8 + 8 * k));
    return children;
  }
  std::string data(std::uint64_t child) const {
    require((child & data_bit) != 0, "a group where data should be");
    const std::uint64_t place = child & ~data_bit;
    if (place == 0) return "";
    const std::uint64_t size = word(place);
    require(size <= file_.size() - place - 8, "data reach behind the end");
    return file_.substr(place + 8, size);
  }

  static void read_times(const std::string& text, std::vector<OgawaTimes>& times) {
    for (Bytes bytes(text); !bytes.at_end();) {
      OgawaTimes t;
      t.samples = bytes.number<std::uint32_t>();
      t.cycle = bytes.number<double>();
      for (std::uint32_t n = bytes.number<std::uint32_t>(); n > 0; --n) t.stored.push_back(bytes.number<double>());
      times.push_back(t);
    }
  }

  OgawaObject object(std::uint64_t child, const std::string& metadata) const {
    const std::vector<std::uint64_t> parts = group(child);
    require(parts.size() >= 2, "an object without properties or headers");
    OgawaObject result{metadata, compound(parts.front()), {}};
    Bytes headers(data(parts.back()));
    for (std::size_t k = 1; k + 1 < parts.size(); ++k) {
      const std::string name = headers.text(headers.number<std::uint32_t>());
      const std::uint8_t index = headers.number<std::uint8_t>();
      const std::string text = index == 255 ? headers.text(headers.number<std::uint32_t>()) : metadata_.at(index);
      require(result.children.emplace(name, object(parts[k], text)).second, "two children of one name");
    }
    headers.text(32);  // two digests
    require(headers.at_end(), "headers that belong to no child");
    return result;
  }

  std::map<std::string, OgawaProperty> compound(std::uint64_t child) const {
    const std::vector<std::uint64_t> parts = group(child);
    std::map<std::string, OgawaProperty> properties;
    if (parts.empty()) return properties;
    Bytes headers(data(parts.back()));
    for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
      std::string name;
      OgawaProperty p = property(headers, parts[k], name);
      require(properties.emplace(name, std::move(p)).second, "two properties of one name");
    }
    require(headers.at_end(), "headers that belong to no property");
    return properties;
  }

  OgawaProperty property(Bytes& headers, std::uint64_t child, std::string& name) const {
    const auto info = headers.number<std::uint32_t>();
    const std::uint32_t type = info & 3, hint = info >> 2 & 3;
    OgawaProperty p;
    p.kind = type == 0   ? OgawaProperty::Kind::compound
             : type == 1 ? OgawaProperty::Kind::scalar
                         : OgawaProperty::Kind::array;
    p.one_value = type == 3;
    p.pod = int(info >> 4 & 15), p.extent = int(info >> 12 & 255), p.constant = info >> 11 & 1;
    std::uint32_t count = 0, first = 1, last = 0;
    if (type != 0) {
      count = headers.sized(hint);
      last = count - 1;
      if (p.constant) first = last = 0;
      if (info >> 9 & 1) first = headers.sized(hint), last = headers.sized(hint);
      if (info >> 8 & 1) p.time_sampling = int(headers.sized(hint));
      require(p.time_sampling < int(time_samplings_), "no such time sampling");
    }
    name = headers.text(headers.sized(hint));
    const std::uint32_t index = info >> 20 & 255;
    p.metadata = index == 255 ? headers.text(headers.sized(hint)) : metadata_.at(index);
    if (type == 0)
      p.children = compound(child);
    else
      read_samples(p, group(child), count, first, last);
    return p;
  }

  // stored are sample 0 and those from `first` to `last`
  void read_samples(OgawaProperty& p, const std::vector<std::uint64_t>& stored, std::uint32_t count,
                    std::uint32_t first, std::uint32_t last) const {
    const bool array = p.kind == OgawaProperty::Kind::array;
    const std::size_t each = array ? 2 : 1, expected = p.constant ? 1 : last - first + 2;
    require(stored.size() == each * expected, "another number of samples than its header says");
    for (std::uint32_t n = 0; n < count; ++n) {
      const std::size_t slot = p.constant || n < first ? 0 : std::min(n, last) - first + 1;
      const std::string bytes = data(stored[slot * each]);
      require(bytes.size() >= 16, "a sample without digest");
      p.digests.push_back(bytes.substr(0, 16));
      p.samples.push_back(bytes.substr(16));
      const std::string dimensions = array ? data(stored[slot * each + 1]) : "";
      if (p.pod == 12) p.text_counts.push_back(Bytes(dimensions).number<std::uint32_t>());
    }
  }

  std::string file_;
  std::vector<std::string> metadata_;
  std::size_t time_samplings_ = 0;
};

}  // namespace

OgawaArchive read_ogawa(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return OgawaReader({std::istreambuf_iterator<char>(file), {}}).read();
}

}  // namespace tendril::io
