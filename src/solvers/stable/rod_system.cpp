#include <algorithm>

#include "solvers/stable/rod_correction.h"

namespace tendril::solvers::stable {

// The linear system of a RodCorrection.

namespace {

constexpr int most_gradients = 40;
constexpr double gradient_tolerance = 1e-4;  // of the forces that are left, in the norm of the inverse blocks

}  // namespace

bool RodCorrection::factorise(const StepProblem& problem, Part& part) {
  bool is_definite = true;
  for (int row = 0; row < static_cast<int>(part.unknowns.size()); ++row) {
    const int unknown = part.unknowns[row];
    const bool held = unknown < vertex_count_ && !(problem.free_axes[unknown] == Vec3d{1, 1, 1});
    is_definite &=
        bool(held ? part.matrix.eliminate_partly(row, problem.free_axes[unknown]) : part.matrix.eliminate(row));
  }
  return is_definite;
}

// ahead <- M⁻¹ rest, with the blocks M of the parts
void RodCorrection::precondition() {
  std::vector<Vec3d> u;
  for (int p : active_) {
    const Part& part = parts_[p];
    u.resize(part.unknowns.size());
    for (std::size_t row = 0; row < u.size(); ++row) u[row] = rest_[part.unknowns[row]];
    part.matrix.solve(u);
    for (std::size_t row = 0; row < u.size(); ++row) ahead_[part.unknowns[row]] = u[row];
  }
}

// what the motion of one side along direction_ does to the other
void RodCorrection::couple(const Terms (&side)[2], const Mat3d& stiffness, std::vector<Vec3d>& out) const {
  for (int from = 0; from < 2; ++from) {
    Vec3d moved;
    for (int k = 0; k < side[from].count; ++k) moved += side[from].term[k].map * direction_[side[from].term[k].unknown];
    const Vec3d pull = stiffness * moved;
    const Terms& to = side[1 - from];
    for (int k = 0; k < to.count; ++k) out[to.term[k].unknown] += transpose(to.term[k].map) * pull;
  }
}

// Conjugate gradients on M + N of every island, M the blocks of its parts and N what couples them. M z = r is known for
// every z = M⁻¹ r, and so is the image of every direction, M d: only N is applied.
void RodCorrection::solve(std::vector<Vec3d>& out) {
  for_active([&](int i, int) { rest_[i] = force_[i], out[i] = {}; });
  precondition();
  for (Island& island : islands_) island.product = 0;
  for_active([&](int i, int k) {
    direction_[i] = ahead_[i], image_[i] = rest_[i];
    islands_[k].product += dot(rest_[i], ahead_[i]);
  });
  for (Island& island : islands_) island.first = island.product, island.is_open = island.product > 0;
  std::vector<Vec3d>& applied = ahead_;
  const auto some_are_open = [&] {
    return std::any_of(islands_.begin(), islands_.end(), [](const Island& island) { return island.is_open; });
  };
  for (int n = 0; n < most_gradients && some_are_open(); ++n) {
    for_active([&](int i, int) { applied[i] = image_[i]; });
    for (const Link& link : links_) {
      if (link.part[0] < 0 || link.part[1] < 0) continue;
      couple(link.point, link.stiffness, applied);
      couple(link.turn, link.turning.ab * outer(link.normal, link.normal), applied);
    }
    for (Island& island : islands_) island.factor = 0;
    for_active([&](int i, int k) { islands_[k].factor += dot(direction_[i], applied[i]); });
    for (Island& island : islands_) {
      island.is_open = island.is_open && island.factor > 0;
      island.factor = island.is_open ? island.product / island.factor : 0;
    }
    for_active([&](int i, int k) {
      out[i] += islands_[k].factor * direction_[i];
      rest_[i] -= islands_[k].factor * applied[i];
    });
    precondition();
    for (Island& island : islands_) island.factor = 0;
    for_active([&](int i, int k) { islands_[k].factor += dot(rest_[i], ahead_[i]); });
    for (Island& island : islands_) {
      const double last = island.product;
      island.product = island.factor;
      island.is_open = island.is_open && island.product > gradient_tolerance * gradient_tolerance * island.first;
      island.factor = island.is_open ? island.product / last : 0;
    }
    for_active([&](int i, int k) {
      if (!islands_[k].is_open) return;
      direction_[i] = ahead_[i] + islands_[k].factor * direction_[i];
      image_[i] = rest_[i] + islands_[k].factor * image_[i];
    });
  }
}

}  // namespace tendril::solvers::stable
