#pragma once

#include "solvers/newton/contact_terms.h"

namespace tendril::solvers::newton {

// Parts that touch each other are solved together, and apart from all others: each such island goes as far along its
// direction as its own energy falls, and is left alone when it is solved.
class Islands {
 public:
  void begin_step(int parts);
  // who touches whom now; an island is open until all of its parts are done
  void find(const ContactTerms& contact_terms);

  int count() const { return static_cast<int>(is_open_.size()); }
  int of(int part) const { return island_[part]; }
  bool is_open(int island) const { return is_open_[island]; }
  bool is_part_open(int part) const { return is_open_[island_[part]]; }
  int open_part_count() const;

  // what is known of a part
  struct Progress {
    bool done = false;       // it is where it should be, or
    bool failed = false;     // no way is found to get there
    int stuck = 0;           // Newton steps in a row along which its energy did not fall
    double least = forever;  // size of a Newton step
    int in_circles = 0;      // whole Newton steps in a row that were hardly smaller than the least
    bool astray = false;  // along the last one it hardly fell: the next is linearised where it is, not where it leads
  };
  // the Newton step of its island, and whether it was taken as a whole
  void note_step(int part, double size, bool is_whole);
  bool goes_in_circles(int island) const { return in_circles_[island]; }  // half of a step leads farther
  Progress& of_part(int part) { return progress_[part]; }
  const Progress& of_part(int part) const { return progress_[part]; }
  bool all_done() const;
  bool any_failed() const;
  // sums and largest numbers by island
  std::vector<double> sum(const std::vector<double>& of_parts) const;
  std::vector<double> largest(const std::vector<double>& of_parts) const;

 private:
  std::vector<Progress> progress_;  // (part)
  std::vector<int> island_;         // (part)
  std::vector<char> is_open_;       // (island)
  std::vector<char> in_circles_;    // (island)
};

}  // namespace tendril::solvers::newton
