#pragma once

#include <filesystem>

#include "layers.h"

namespace tendril::sim {

// A run folder has one writer at a time. The system holds the lock for the process, so that it ends with it: what a
// killed run leaves behind is an empty file that locks nothing.
class FolderLock {
 public:
  // makes the folder when it is absent; throws ResourceError when another process writes there
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  void remove_folder();  // when nothing but the lock is left in it

  static constexpr const char* file_name = ".tendril.lock";

 private:
  std::filesystem::path folder_, path_;
  int file_ = -1;
};

}  // namespace tendril::sim
