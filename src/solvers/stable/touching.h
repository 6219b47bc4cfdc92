#pragma once

#include <vector>

#include "contact/contact.h"
#include "math/thread_team.h"
#include "solvers/stable/position_sweep.h"

namespace tendril::stable {

// Contact in the position sweep: what pushes at the vertices, and where they may go. Pairs are evaluated together
// before each colour; then every vertex sums up its own.
template <class S>
class Touching {
 public:
  using P = Pack<S>;

  void reset(const Layout& layout);
  void begin_leg(const Contact& contact, const StepProblem& problem, const Layout& layout);

  bool concerns(int pack) const { return contact_ && concerned_[pack]; }
  int pair_count() const { return static_cast<int>(pairs_.size()); }
  void evaluate(const Rows<S>& rows, Share pairs);
  ContactPull<P> pull_at(int pack) const;  // of the vertices of a pack

  // takes the vertices of a pack back to where they may be, coming from `before`
  void keep_in_region(int pack, const RowPack<P>& before, Rows<S>& rows);

  // calls free(packs) for stretches of packs that contact does not concern, touched(pack) for the others
  template <class Free, class Touched>
  void split(Share packs, Free free, Touched touched) const {
    int begin = packs.begin;
    for (int p = packs.begin; contact_ && p < packs.end; ++p) {
      if (!concerned_[p]) continue;
      if (begin < p) free(Share{begin, p});
      touched(p);
      begin = p + 1;
    }
    if (begin < packs.end) free(Share{begin, packs.end});
  }

  // of one vertex, by its row
  struct Pull {
    Vec3d force;
    Mat3d stiffness;
    double scale = 0;  // sum of the forces' sizes [N]
  };
  Pull pull_at_row(int row) const;
  // whether a vertex may be where it is displaced by u from the start of the step
  bool allows(int row, const Vec3d& u) const {
    const int i = vertex_of_row_[row];
    return !contact_ || !contact_->is_bounded(i) || contact_->region(i).contains(u - corner_[row]);
  }
  const Vec3d& cut_off(int row) const { return cut_off_[row]; }  // what the last update was not allowed [m]

 private:
  struct NearPair {
    const Pair* pair;
    int row[4];       // -1: b is a solid
    Vec3d base;       // what the displacements from the start of the step have in `relative` at the corner [m]
    PairForce now;
  };
  struct Entry {
    int pair;
    double weight;
    double crowd;  // |weight| of all vertices of the pair that move at the same time
  };

  const Contact* contact_ = nullptr;
  std::vector<int> vertex_of_row_, colour_of_row_;
  std::vector<Vec3d> corner_;  // displacement from the start of the step (row) [m]
  std::vector<Vec3d> cut_off_;  // (row)
  std::vector<char> concerned_;  // by contact (pack)
  std::vector<NearPair> pairs_;
  std::vector<int> first_entry_;  // (row, and the end)
  std::vector<Entry> entries_;
};

}  // namespace tendril::stable
