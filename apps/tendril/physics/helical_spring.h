#pragma once

#include "physics/rod_scene.h"

namespace tendril::app::physics {

// Steel wire of 1 mm, wound ten times on a helix of 20 mm, thirty segments to the turn; one end clamped, on the other a
// bob on the axis. The wire weighs next to nothing and neither stretches nor shears.
struct Spring {
  double pitch_angle;  // α [rad]

  static constexpr double radius = 0.01, turns = 10, mass = 0.1;  // of the helix [m], of the bob [kg]
  static constexpr int segments = 300;
  static constexpr double EI = 9.8174770e-3, GJ = EI / 1.3;  // [N m²]: E = 200 GPa, ν = 0.3

  // Slender-wire theory: force and moment about the axis against displacement and turn. From the wire's compliance
  //   c_zz = ℓR² (cos²α/GJ + sin²α/EI),  c_zφ = ℓR sin α cos α (1/GJ - 1/EI),  c_φφ = ℓ (sin²α/GJ + cos²α/EI)
  double free_stiffness() const;  // 1/c_zz: the bob may turn [N/m]
  double k_zz() const;            // it may not [N/m]
  double k_phi() const;           // turning at constant height [N m]
  double coupling() const;        // k_zφ / √(k_zz k_φφ) [-]
  double tuned_inertia() const;   // of the bob, with which both motions have one frequency [kg m²]

  // `velocity` of the bob along the axis at time 0
  RodScene scene(double time_step, double velocity) const;
  static int bob(const Model& model);  // its body

 private:
  struct Compliance {
    double zz, z_phi, phi;
    double determinant() const { return zz * phi - z_phi * z_phi; }
  };
  Compliance compliance() const;
};

}  // namespace tendril::app::physics
