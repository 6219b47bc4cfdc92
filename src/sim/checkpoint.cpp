#include "sim/checkpoint.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "rod/stream.h"

namespace tendril::sim {
namespace {

constexpr std::uint64_t magic = 0x70636c6972646e74;  // "tndrilcp"
constexpr std::uint32_t version = 8;                 // of all that is inside; an older one is refused, not guessed

std::uint32_t checksum(std::span<const char> bytes) {
  return std::uint32_t(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

struct Header {
  std::uint64_t magic = sim::magic;
  std::uint32_t version = sim::version;
  std::uint32_t checksum = 0;
  std::uint64_t size = 0;
};

}  // namespace

void write_checkpoint(const std::filesystem::path& path, std::span<const char> bytes) {
  Header header;
  header.checksum = checksum(bytes);
  header.size = bytes.size();
  std::vector<char> file(sizeof header + bytes.size());
  std::memcpy(file.data(), &header, sizeof header);
  std::copy(bytes.begin(), bytes.end(), file.begin() + sizeof header);
  write_file(path, file, Durable::yes);
}

std::vector<char> read_checkpoint(const std::filesystem::path& path) {
  const std::vector<char> file = read_file(path);
  const auto fail = [&](const std::string& what) {
    throw FileError(fmt::format("{}: {}; run again without --resume into another folder", path.string(), what));
  };
  Header header;
  if (file.size() < sizeof header) fail("is cut short");
  Reader(file).get(header);
  if (header.magic != magic) fail("is not a checkpoint");
  if (header.version != version) fail(fmt::format("has version {}, this program reads {}", header.version, version));
  const auto bytes = std::span(file).subspan(sizeof header);
  if (header.size != bytes.size()) fail("is cut short");
  if (header.checksum != checksum(bytes)) fail("is damaged (its checksum is wrong)");
  return {bytes.begin(), bytes.end()};
}

}  // namespace tendril::sim
