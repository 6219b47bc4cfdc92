#pragma once

#include <optional>

#include "render/bounds.h"
#include "render/camera.h"
#include "render/coloring.h"

namespace tendril::render {

// Looks at every frame of a movie before the first is drawn, one at a time: what they share, so that nothing jumps
class Survey {
 public:
  explicit Survey(const Framing& framing = {}, Coloring coloring = Coloring::rod);

  void add(const Model& model, const State& state, const std::vector<float>& contacts = {});

  Camera camera() const;  // the nearest that sees everything
  const Bounds& bounds() const { return bounds_; }
  double lowest() const { return lowest_; }        // z of the ground [m]; forever when there was nothing
  double scale_end() const { return scale_end_; }  // of what the colours show

 private:
  // All eyes from which a set of balls appears between two opposite edges of the picture, seen in the plane of the
  // forward axis f and an axis a across it. With t the slope of the edges, a ball (a, f, r) asks of the eye (e_a, e_f)
  //   |a - e_a| + r sqrt(1 + t²) <= t (f - e_f)
  // so the nearest eye has  e_a = (low + high) / 2,  e_f = (low - high) / 2t
  struct Wedge {
    double slope;
    double high = -forever;  // max of a - t f
    double low = forever;    // min of a + t f

    void include(double a, double f, double radius);
    double across() const { return 0.5 * (low + high); }
    double along() const { return 0.5 * (low - high) / slope; }
  };

  void include(const Vec3d& x, double radius, Wedge& horizontal, Wedge& vertical) const;

  Framing framing_;
  Coloring coloring_;
  Vec3d forward_, right_, upward_;
  std::optional<Vec3d> origin_;  // near the scene, so that digits are not lost far from zero [m]
  Wedge horizontal_, vertical_;
  Bounds bounds_;
  double lowest_ = forever, scale_end_ = 0;
};

}  // namespace tendril::render
