#pragma once

#include <memory>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "solvers/newton/approach.h"
#include "solvers/projective/options.h"
#include "solvers/projective/strand_step.h"
#include "solvers/solver.h"

namespace tendril::projective {

// Cosserat rods by projective dynamics [strauss2020, soler2018], see README.md
class ProjectiveSolver final : public Solver {
 public:
  explicit ProjectiveSolver(const Options& options) : options_(options) {}

  void reset(const Model& model, const State& state, ThreadTeam& team) override;
  StepReport step(const Inputs& inputs, Contact& contact, double h, State& state) override;
  Capabilities capabilities() const override { return projective::capabilities(); }
  void save(Writer&) const override {}  // a step reads nothing but the State
  void load(Reader&) override {}

 private:
  void make_bundles();
  void prepare(const Inputs& inputs, double h);
  void factor_systems(bool may_share);
  void solve_strands(const Inputs& inputs, StepReport& report, State& state);
  void finish(const Inputs& inputs, State& state) const;

  // contact.cpp
  void solve_with_contact(const Inputs& inputs, Contact& contact, StepReport& report, State& state);
  bool open_strands(const Contact& contact, const std::vector<int>& pairs);
  void list_touches(const Contact& contact, bool is_first);
  double solve_open_strands(const Inputs& inputs, bool is_first, StepReport& report);
  Touch touch_of(const Contact& contact, const Pair& pair, int side) const;

  const Options options_;
  ThreadTeam* team_ = nullptr;  // of the Simulation, set by reset()
  newton::Problem problem_;     // what draws vertices and frames in this step
  const State* start_ = nullptr;
  State before_;  // a copy of the start, where nobody else has one
  std::vector<Strand> strands_;
  std::vector<Bundle> bundles_;
  std::vector<StrandStep> workers_;          // (worker)
  std::vector<StrandStep::Result> results_;  // of the step (bundle)
  struct Place {                             // of a vertex
    int bundle = -1, lane = 0, place = 0;
  };
  std::vector<Place> places_;                // (vertex)
  std::vector<unsigned> open_;               // strands that touch something, bit by bit (bundle)
  std::vector<std::vector<Touch>> touches_;  // of them on the present substep (bundle)
  newton::Approach approach_;
  newton::Iterate at_, target_;  // at the last waypoint of the path; where strands want to be
  double factored_h_ = 0;        // of steps that the global systems are made for; 0: none [s]
  bool had_drag_ = false;        // that they are made for, too
};

}  // namespace tendril::projective
