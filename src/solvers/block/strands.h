#pragma once

#include <array>
#include <vector>

#include "math/block_ldlt.h"
#include "solvers/block/elements.h"

namespace tendril::block {

// Parts that differ in nothing but their numbers are solved side by side, one in each lane of a register: hair, yarns,
// blades of grass. Who goes with whom depends on the Model alone.
constexpr int strand_lanes = Pack<double>::lanes;
struct Bundles {
  std::vector<std::array<int, strand_lanes>> bundles;  // of parts
  std::vector<int> singles;                            // the parts in none
};
Bundles make_bundles(const Problem& problem, const Parts& parts);

// The linear system of one Newton step of a bundle, as System has it for a part, with all that it needs at hand.
class Strands {
 public:
  using Number = Pack<double>;
  using Mask = Number::Mask;

  Strands(const Problem& problem, const Parts& parts) : problem_(&problem), parts_(&parts) {}

  void load(const std::array<int, strand_lanes>& bundle, const Iterate& at, const Iterate& start,
            const Prediction& prediction);
  void store(Iterate& at, Prediction& prediction) const;

  // what Newton asks for
  struct Pass {
    Number energy;  // see System
    Mask is_definite;
  };
  Pass factorise(Number exact);
  void solve();
  Number step_size() const;
  Number turn_size() const;
  Number moment_work() const;
  Number round_off(Number energy) const;
  Number start_energy();
  Number energy_along(Number share);
  void advance(Number share, Mask where);
  void go_back(Mask where);
  void keep_momentum(Mask where);

 private:
  using T = Number;
  // where the lanes are; of the row of a vertex x counts, of that of a segment q, and after the rows come frames that
  // are no unknowns
  struct Places {
    std::vector<Vec3<T>> x;
    std::vector<Quat<T>> q;
  };

  const Part& part(int lane) const { return (*parts_)[bundle_[lane]]; }
  void load_places(const Iterate& from, Places& to) const;
  void load_known(const Iterate& from, Places& to) const;
  void load_terms(const Prediction& prediction);
  StretchState<T> stretch_state(int element, const Places& at) const;
  Quat<T> second_frame(int bend, const Places& at) const;
  T energy(const Places& at) const;
  T add_stretch(int element, T exact);
  T add_bend(int element, T exact);

  const Problem* problem_;
  const Parts* parts_;
  std::array<int, strand_lanes> bundle_ = {};
  const Part* shape_ = nullptr;                 // the first of them
  const Unknown* unknowns_[strand_lanes] = {};  // of each lane
  const StretchElement* stretches_[strand_lanes] = {};
  const BendElement* bends_[strand_lanes] = {};
  const Iterate* start_ = nullptr;
  Places at_, trial_;
  std::vector<T> weight_;                   // (row)
  std::vector<Vec3<T>> goal_, free_axes_;   // (row)
  std::vector<Vec3<T>> moment_;             // (row); empty: none
  std::vector<Stretch<T>> stretch_;         // (stretch element)
  std::vector<Spin<T>> spin_;               // likewise
  std::vector<Vec3<T>> prediction_;         // likewise
  std::vector<Bend<T>> bend_;               // (bend element)
  std::vector<Quat<T>> turn_;               // of b's frame, likewise; empty: none is turned
  std::vector<std::array<int, 2>> frames_;  // rows of a and b, likewise
  BlockLdlt<T> matrix_;
  std::vector<Vec3<T>> u_;
};

}  // namespace tendril::block
