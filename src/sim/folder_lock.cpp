#include "sim/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "io/file.h"

namespace tendril::sim {
namespace {

// whether the file still has its name: its last holder takes that away
bool has_a_name(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 && status.st_nlink > 0;
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) : folder_(folder), path_(folder / file_name) {
  for (;;) {
    make_folder(folder);
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0)
      throw ResourceError(fmt::format("{}: the folder cannot be written: {}", folder.string(), std::strerror(errno)));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {  // a disk without locks is used without
      ::close(file_);
      throw ResourceError(
          fmt::format("{}: another run writes to this folder now; wait until it ends, or choose another with --out",
                      folder.string()));
    }
    if (has_a_name(file_)) return;
    ::close(file_);  // the holder before let go of it between the two calls
  }
}

FolderLock::~FolderLock() {
  if (has_a_name(file_)) ::unlink(path_.c_str());
  ::close(file_);
}

void FolderLock::remove_folder() {
  ::unlink(path_.c_str());
  ::rmdir(folder_.c_str());  // fails when there is more in it
}

}  // namespace tendril::sim
