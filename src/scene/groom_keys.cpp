#include "scene/curve.h"
#include "scene/curves/curve_file.h"
#include "scene/key_words.h"
#include "scene/keys.h"

namespace tendril::scene {

using namespace key_words;

namespace {

Key followers_key() {
  return integer("followers",
                 "further strands, which lie between simulated ones: they grow and are shaped like these, go with the "
                 "nearest in their material frames, and are drawn, exported and counted; not simulated")
      .or_takes(KeyType::table)
      .with({integer("count", "how many").needed().between(1, 10'000'000),
             integer("guides", "simulated strands that each goes with, the nearest, by 1 / distance²")
                 .by_default("3")
                 .between(1, 16)})
      .between(1, 10'000'000);
}

Key file_key() {
  return table("file",
               "the strands of a file, instead of grown ones: .hair, .usda, .abc, .npz, .bcc or .obj; their "
               "roots, the first points, are fastened to the mesh where they are nearest to it")
      .with(file_keys().keys);
}

}  // namespace

std::vector<Key> groom_keys() {
  return {
      text("name", "by which other tables and --set find it, as a rod of many strands").needed(),
      text("mesh",
           "skin on which it grows: the name of an obstacle that is a mesh or a sphere, whose motion takes the roots "
           "along, or the path of a triangle mesh, on which the roots are clamped where they are"),
      text("material", "of all strands").needed().naming_a("material"),
      integer("count", "how many strands are simulated; this or `density`").between(1, 10'000'000),
      number("density", "1/m²", "strands per area of the mesh, times `weights`").above_zero(),
      integer("seed", "another seed sows them otherwise").by_default("0").at_least(0),
      text("group", "only on this group of the mesh's file: a name behind `g`, `o` or `usemtl`"),
      text("weights", "file of one number per vertex of the mesh, how densely strands grow there; unset: 1 everywhere"),
      number("length", "m",
             "of the strands, or [[fraction, length], …]: this fraction of them is so long at most, drawn at random")
          .or_takes(KeyType::rows)
          .above_zero()
          .over("fraction", 2),
      integer("segments", "of each strand; of a file: its own points when unset").between(1, 100'000),
      curl_key("the helix that strands wind into; unset: that of the material"),
      table("noise", "how strands stray from their line")
          .with({number("amplitude", "m", "how far").needed().at_least(0),
                 number("length", "m", "of the longest wave; unset: the longest strand").above_zero()}),
      table("clump", "strands that lean to some among them, the more the nearer to their tips")
          .with({integer("count", "how many draw others").needed().between(1, 10'000'000),
                 number("strength", "-", "share of the way to it that a tip goes").by_default("0.8").between(0, 0.99)}),
      vec3("direction", "-", "added to the unit normal of the skin, where strands leave it; unset: along the normal"),
      file_key(),
      text("rest", "unloaded shape: as it grows, or straight").by_default("\"curve\"").one_of({"curve", "straight"}),
      number("radius", "m", "taper: radius, or radius over the fraction of a strand")
          .or_takes(KeyType::rows)
          .above_zero()
          .over("fraction", 2),
      followers_key(),
      vec3("velocity", "m/s", "at time 0").by_default("[0, 0, 0]"),
      vec3("angular_velocity", "rad/s", "at time 0, about the centre of mass").by_default("[0, 0, 0]"),
      vec3("color", "-", "linear red, green, blue").between(0, 1),
  };
}

}  // namespace tendril::scene
