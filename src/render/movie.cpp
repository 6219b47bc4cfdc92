#include "render/movie.h"

#include <fmt/format.h>

#include <cassert>
#include <stdexcept>
#include <system_error>

namespace tendril::render {

namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

// every player and browser shows it; one thread, for with more the bytes would depend on their number
const Words h264 = {"-vf",         "scale=out_color_matrix=bt709:out_range=tv",
                    "-c:v",        "libx264",
                    "-preset",     "medium",
                    "-crf",        "18",
                    "-pix_fmt",    "yuv420p",
                    "-threads",    "1",
                    "-colorspace", "bt709",
                    "-color_trc",  "bt709",
                    "-movflags",   "+faststart",
                    "-f",          "mp4"};

// one palette for all frames, so that colours do not flicker
const Words gif = {"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=sierra2_4a", "-f", "gif"};

Words ffmpeg_words(const fs::path& path, const fs::path& part, const MovieOptions& options) {
  Words words = {"ffmpeg",
                 "-hide_banner",
                 "-loglevel",
                 "error",
                 "-y",
                 "-f",
                 "rawvideo",
                 "-pixel_format",
                 "rgb24",
                 "-video_size",
                 fmt::format("{}x{}", options.width, options.height),
                 "-framerate",
                 fmt::format("{}", options.frame_rate),
                 "-i",
                 "pipe:0",
                 "-an"};
  const Words& coding = path.extension() == ".gif" ? gif : h264;
  words.insert(words.end(), coding.begin(), coding.end());
  words.insert(words.end(), {"-fflags", "+bitexact", "-flags:v", "+bitexact", "file:" + part.string()});
  return words;
}

void check(const fs::path& path, const MovieOptions& options) {
  if (!is_movie(path)) throw std::invalid_argument(fmt::format("{}: a movie is an .mp4 or a .gif", path.string()));
  if (path.extension() == ".mp4" && (options.width % 2 || options.height % 2))
    throw std::invalid_argument(fmt::format("an .mp4 has an even width and height, not {}x{}: take {}x{}",
                                            options.width, options.height, options.width + options.width % 2,
                                            options.height + options.height % 2));
  if (!(options.frame_rate > 0)) throw std::invalid_argument("a movie needs a positive number of frames per second");
  const fs::path folder = path.parent_path();
  if (!folder.empty() && !fs::is_directory(folder))
    throw std::system_error(std::make_error_code(std::errc::no_such_file_or_directory),
                            fmt::format("cannot write the movie {}", path.string()));
}

}  // namespace

bool is_movie(const fs::path& path) { return path.extension() == ".mp4" || path.extension() == ".gif"; }

Movie::Movie(const fs::path& path, const MovieOptions& options)
    : path_(path), part_(path.string() + ".part"), options_(options) {
  check(path, options);
  ffmpeg_ = std::make_unique<Child>(ffmpeg_words(path, part_, options), "ffmpeg");
}

Movie::~Movie() {
  if (!ffmpeg_) return;
  ffmpeg_.reset();
  std::error_code ignored;
  fs::remove(part_, ignored);
}

void Movie::add(const Picture& picture) {
  assert(picture.width == options_.width && picture.height == options_.height && picture.alpha.empty());
  const std::vector<std::uint8_t> bytes = srgb_bytes(picture);
  ffmpeg_->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void Movie::finish() {
  ffmpeg_->finish();
  std::error_code error;
  fs::rename(part_, path_, error);
  if (error) throw std::system_error(error, fmt::format("cannot write the movie {}", path_.string()));
  ffmpeg_.reset();
}

}  // namespace tendril::render
