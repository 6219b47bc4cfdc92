#pragma once

#include "layers.h"

namespace tendril::contact {

// hair against hair as a volume on a grid
struct VolumeOptions {
  double cell = 0;              // edge of a cell [m]; 0: chosen by the start, see choose_cell
  double mixing = 10;           // rate at which hair takes over the motion of the hair around it [1/s]
  double hairs_per_strand = 1;  // real hairs that each strand stands for: so many share its motion
};

}  // namespace tendril::contact
