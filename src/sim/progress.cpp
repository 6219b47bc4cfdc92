#include "sim/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace tendril::sim {
namespace {

constexpr int bar_width = 24;

std::string duration_text(double seconds) {
  if (seconds < 0) return "? left";
  const auto whole = std::int64_t(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s left", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s left", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min left", whole / 3600, whole / 60 % 60);
}

std::string bar(double fraction) {
  const int filled = std::clamp(int(fraction * bar_width), 0, bar_width);
  std::string line(std::size_t(filled), '=');
  if (filled < bar_width) line += '>';
  line.resize(bar_width, ' ');
  return "[" + line + "]";
}

}  // namespace

double time_left(const ProgressPoint& point) {
  const auto done = double(point.step - point.first_step);
  return done > 0 ? point.elapsed / done * double(point.step_count - point.step) : -1;
}

std::string progress_line(const ProgressPoint& point) {
  const double fraction = point.step_count > 0 ? double(point.step) / double(point.step_count) : 0;
  return fmt::format("{} {:3.0f} %  t {:.4g}/{:.4g} s  frame {}  {} iterations  residual {:.2g}  stretch {:.2g} %  {}",
                     bar(fraction), 100 * fraction, point.time, point.duration, point.frame, point.iterations,
                     point.residual, 100 * point.stretch, duration_text(time_left(point)));
}

std::string progress_line(const SettlePoint& point) {
  return fmt::format("settling  {} steps  residual {:.2g}, until {:.2g}", point.steps, point.residual, point.tolerance);
}

std::string progress_line(const WorkPoint& point) {
  const double left = point.part > 0 ? point.elapsed * (1 - point.part) / point.part : -1;
  return fmt::format("{} {:3.0f} %  {}  {}", bar(point.part), 100 * point.part, point.what, duration_text(left));
}

Progress::Style Progress::style_for(std::FILE* out) { return isatty(fileno(out)) ? Style::bar : Style::lines; }

bool Progress::wants_update() const {
  if (style_ == Style::none) return false;
  return Clock::now() - shown_ > std::chrono::milliseconds(style_ == Style::bar ? 100 : 5000);
}

void Progress::show(const std::string& line) {
  if (style_ == Style::none) return;
  shown_ = Clock::now();
  std::fprintf(out_, style_ == Style::bar ? "\r%s\033[K" : "%s\n", line.c_str());
  std::fflush(out_);
  bar_is_shown_ = style_ == Style::bar;
}

void Progress::say(const std::string& line) {
  if (style_ == Style::none) return;
  std::fprintf(out_, "%s%s\n", bar_is_shown_ ? "\r\033[K" : "", line.c_str());
  std::fflush(out_);
  bar_is_shown_ = false;
}

void Progress::finish(const ProgressPoint& point) {
  update(point);
  end_bar();
}

void Progress::finish(const WorkPoint& point) {
  update(point);
  end_bar();
}

void Progress::end_bar() {
  if (bar_is_shown_) std::fprintf(out_, "\n");
  bar_is_shown_ = false;
}

}  // namespace tendril::sim
