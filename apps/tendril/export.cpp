#include "export.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "io/file.h"
#include "io/formats/pvd.h"
#include "take_of_run.h"

namespace tendril::app {

namespace {

namespace fs = std::filesystem;

bool is_pvd(const Format& format) { return format.extension == ".pvd"; }

fs::path whole_file(const fs::path& run_folder, const Format& format) {
  return run_folder / "export" / ("rods" + format.extension);
}

}  // namespace

Exporter::Exporter(const fs::path& run_folder, const LoadedScene& scene)
    : run_{run_folder, scene, 0}, formats_(export_formats(scene.scene)) {}

// after a resume the run knows more frames than this session has seen
void Exporter::learn_times(int frame_count) {
  if (int(times_.size()) >= frame_count) {
    times_.resize(frame_count);
    return;
  }
  run_.frame_count = frame_count;
  times_ = recorded_times(run_);
}

// trouble with a format is no trouble for the simulation
template <class Write>
void Exporter::attempt(const Format*& format, const Write& write) {
  try {
    write(*format);
  } catch (const FileError& error) {
    fmt::print(stderr, "export: {} is left out: {}\n", format->extension, error.what());
    format = nullptr;
  }
}

void Exporter::add_frame(std::int64_t frame) {
  if (formats_.empty()) return;
  learn_times(int(frame));
  times_.push_back(read_recorded_state(run_.folder, int(frame)).state.time);
  make_folder(run_.folder / "export");
  const bool rewrite = std::has_single_bit(times_.size());
  for (const Format*& format : formats_)
    if (format)
      attempt(format, [&](const Format& f) {
        if (!f.moves || is_pvd(f))
          write_frame(f, int(frame));
        else if (rewrite)
          write_whole_motion(f);
      });
  if (rewrite) whole_count_ = int(times_.size());
}

void Exporter::finish(std::int64_t frame_count) {
  if (formats_.empty() || frame_count < 1 || whole_count_ == frame_count) return;
  learn_times(int(frame_count));
  make_folder(run_.folder / "export");
  for (const Format*& format : formats_)
    if (format && format->moves && !is_pvd(*format)) attempt(format, [&](const Format& f) { write_whole_motion(f); });
  whole_count_ = int(frame_count);
}

void Exporter::write_whole_motion(const Format& format) {
  const Take take = take_of_frames(run_, times_, 0, int(times_.size()), follow_for(format.extension));
  format.write(take, whole_file(run_.folder, format));
}

// .pvd's own list after its new frame, so that ParaView can look at a run that goes on
void Exporter::write_frame(const Format& format, int frame) {
  const Take take = take_of_frames(run_, times_, frame, 1, follow_for(format.extension));
  const fs::path path = whole_file(run_.folder, format);
  if (is_pvd(format)) {
    find_format("x.vtp")->write(take, vtp_of_moment(path, frame));
    write_pvd_list(times_, path);
  } else {
    format.write(take, path.parent_path() / fmt::format("rods_{:04}{}", frame, format.extension));
  }
}

std::vector<std::string> Exporter::written() const {
  std::vector<std::string> files;
  for (const Format* format : formats_) {
    if (!format) continue;
    const fs::path path = whole_file(run_.folder, *format);
    files.push_back(format->moves ? path.string() : (path.parent_path() / ("rods_*" + format->extension)).string());
  }
  return files;
}

}  // namespace tendril::app
