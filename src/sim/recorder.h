#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/file.h"
#include "io/npz.h"
#include "rod/followers.h"
#include "rod/model.h"
#include "sim/folder_lock.h"

namespace tendril::sim {

struct InnerState;

// a run folder that cannot be used as asked: it holds another run
struct RunFolderError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// what a run is, for its folder
struct RunInfo {
  std::string scene_toml;  // the scene as run
  nlohmann::json about;    // versions, solver, options, title …: the beginning of report.json
  Followers followers;     // of which every frame has the points
};

bool holds_run(const std::filesystem::path& folder);
bool holds_run_of(const std::filesystem::path& folder, const std::string& scene_toml);  // the scene as run

enum class RunStart {
  fresh,      // in an absent or empty folder
  resume,     // goes on with the run that is there, from its last checkpoint
  overwrite,  // what the run that is there has written is removed; other files stay
};

// The folder of a run (docs/run_format.md). Every file appears whole, or grows by whole rows: a kill at any moment
// leaves a run that opens. A disk that fails is a ResourceError, and what was written before stays usable.
class Recorder {
 public:
  // Throws RunFolderError for a folder that is in use for something else, ResourceError while a run writes there. The
  // folder is locked until the Recorder is gone.
  Recorder(const std::filesystem::path& folder, RunInfo info, const Model& whole_model, RunStart start);

  // the bytes of the checkpoint to continue from; empty: the run starts
  const std::vector<char>& checkpoint() const { return checkpoint_; }

  // starts metrics.csv anew, or keeps the rows that the checkpoint knows of; removes the frames from `next_frame` on
  void start_rows(const std::vector<std::string>& columns);
  void continue_rows(std::uint64_t kept_bytes, std::int64_t next_frame);

  void write_frame(std::int64_t frame, const State& whole_state, const std::vector<int>& broken,
                   const InnerState& inner, const std::vector<double>& row);
  void write_checkpoint(std::span<const char> bytes);
  void write_report(const nlohmann::json& totals);  // behind what RunInfo says

  // takes back a run that ended before its first frame: removes what the constructor made
  void abandon();

  std::uint64_t row_bytes() const { return rows_ ? rows_->size() : 0; }
  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path frame_path(std::int64_t frame) const;

 private:
  void remove_frames(std::int64_t from);

  std::filesystem::path folder_;
  FolderLock lock_;
  RunInfo info_;
  std::vector<char> checkpoint_;
  std::unique_ptr<AppendedFile> rows_;
};

// the arrays of a frame and of the model, as numpy finds them
NpzArrays frame_arrays(const State& whole_state, const std::vector<int>& broken, const InnerState& inner,
                       const Followers& followers = {});
NpzArrays model_arrays(const Model& whole_model, const Followers& followers = {});

// the rest lengths and rest rotations that a run was made with, from its model.npz; throws FileError
void read_rest_shape(const std::filesystem::path& path, Model& whole_model);

// a frame's State back from its file; throws FileError
State read_frame(const std::filesystem::path& path, std::vector<int>* broken = nullptr);

}  // namespace tendril::sim
