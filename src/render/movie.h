#pragma once

#include <filesystem>
#include <memory>

#include "render/child.h"
#include "render/picture.h"

namespace tendril::render {

struct MovieOptions {
  int width = 1280, height = 720;  // [pixel]; even for .mp4
  double frame_rate = 30;          // [1/s]
};

// whether this is the name of a movie, by its extension: .mp4 (H.264) or .gif
bool is_movie(const std::filesystem::path& path);

// A movie made by ffmpeg, picture by picture, with no files in between. It takes its name when it is finished; before,
// and when it is never finished, there is nothing under that name. The same pictures make the same bytes.
class Movie {
 public:
  // throws std::invalid_argument for another extension or an odd size, ProgramFailed when ffmpeg is not here
  Movie(const std::filesystem::path& path, const MovieOptions& options);
  ~Movie();

  void add(const Picture& picture);  // of the movie's size, opaque; throws ProgramFailed when ffmpeg died
  void finish();

 private:
  std::filesystem::path path_, part_;
  MovieOptions options_;
  std::unique_ptr<Child> ffmpeg_;
};

}  // namespace tendril::render
