#include "scene/generators/knit_path.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <numbers>

namespace tendril::scene {
namespace {

using std::numbers::pi;

// a point of a path and its derivative
struct Jet {
  Vec3d x, dx;
};

// u counts stitches from the left end of the row
Jet in_run(const Stitch& k, const Run& run, double u) {
  const double t = 2 * pi * u - pi;
  const Vec3d x{k.width * (run.first + t / (2 * pi)) + k.swell * std::sin(2 * t),
                k.row_height * run.row + k.rise * std::cos(t), -k.depth * std::cos(2 * t)};
  const Vec3d dx{k.width / (2 * pi) + 2 * k.swell * std::cos(2 * t), -k.rise * std::sin(t),
                 2 * k.depth * std::sin(2 * t)};
  return {x, 2 * pi * dx};
}

// half a circle up to the next row, with a bow behind the cloth, which keeps clear of the loops beside; u from 0 to 1
Jet in_turn(const Stitch& k, const Run& run, bool at_right, double u) {
  const double side = at_right ? 1 : -1, r = 0.5 * k.row_height, phi = pi * u, s = std::sin(phi), c = std::cos(phi);
  const double edge = k.width * (at_right ? run.first + run.count - 0.5 : run.first - 0.5);
  const Vec3d x{edge + side * r * s, k.row_height * run.row - k.rise + r * (1 - c), -k.depth - k.turn_depth * s * s};
  return {x, pi * Vec3d{side * r * c, r * s, -2 * k.turn_depth * s * c}};
}

// runs and turns one after the other: a run takes one unit of the parameter per stitch, a turn one
class YarnPath {
 public:
  YarnPath(const Stitch& stitch, const Yarn& yarn) : stitch_(stitch), yarn_(yarn) {
    double u = 0;
    for (const Run& run : yarn.runs) {
      begins_.push_back(u);
      u += run.count + 1;
    }
    end_ = u - 1;
  }

  double end() const { return end_; }

  Jet at(double u) const {
    const auto after = std::upper_bound(begins_.begin() + 1, begins_.end(), u);
    const size_t k = after - begins_.begin() - 1;
    const Run& run = yarn_.runs[k];
    const bool rightward = (k % 2 == 0) != yarn_.from_right;
    const double v = u - begins_[k];
    if (v > run.count) return in_turn(stitch_, run, rightward, v - run.count);
    if (rightward) return in_run(stitch_, run, v);
    const Jet back = in_run(stitch_, run, run.count - v);
    return {back.x, -back.dx};
  }

 private:
  Stitch stitch_;
  Yarn yarn_;
  std::vector<double> begins_;
  double end_ = 0;
};

ParametricCurve parametric(std::function<Jet(double)> at, int units) {
  ParametricCurve curve;
  curve.point = [at](double u) { return at(u).x; };
  curve.derivative = [at](double u) { return at(u).dx; };
  for (int k = 0; k <= units; ++k) curve.breaks.push_back(k);
  return curve;
}

}  // namespace

ParametricCurve yarn_path(const Stitch& stitch, const Yarn& yarn) {
  assert(!yarn.runs.empty());
  const auto path = std::make_shared<YarnPath>(stitch, yarn);
  return parametric([path](double u) { return path->at(u); }, static_cast<int>(path->end()));
}

ParametricCurve thread_path(const Stitch& stitch, const Run& run, double swing, double up) {
  // where the eye of the loop is widest: a little above the middle of the row, in front of its head
  const double y = stitch.row_height * run.row + up * 0.42 * stitch.rise, z = 0.75 * stitch.depth;
  const double middle = up > 0 ? 0 : 0.5;  // of an eye, from the head [columns]
  const auto at = [=](double u) {
    const double column = run.first - 0.5 + u, phi = pi * (column - middle);
    return Jet{{stitch.width * column, y, z - swing * std::sin(phi)}, {stitch.width, 0, -swing * pi * std::cos(phi)}};
  };
  return parametric(at, run.count);
}

}  // namespace tendril::scene
