#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "layers.h"

namespace tendril::io {

// the disk or another resource failed: the message has the path and the system's reason
struct ResourceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// a file that is not what it should be
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Durable { no, yes };  // yes: on the disk itself before it takes its name, so that a power cut keeps it

// writes a whole file or nothing: beside it first, then renamed over it
void write_file(const std::filesystem::path& path, std::span<const char> bytes, Durable durable = Durable::no);
void write_file(const std::filesystem::path& path, const std::string& text, Durable durable = Durable::no);

std::vector<char> read_file(const std::filesystem::path& path);

void make_folder(const std::filesystem::path& path);

// a text file that grows by whole pieces; a piece that does not fit on the disk leaves no part of itself
class AppendedFile {
 public:
  AppendedFile(const std::filesystem::path& path, std::uint64_t keep);  // keeps that many bytes of an older file
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  void append(const std::string& text);
  void flush_to_disk();
  std::uint64_t size() const { return size_; }

 private:
  std::filesystem::path path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace tendril::io
