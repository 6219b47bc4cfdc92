#pragma once

#include <string>

#include "render/picture.h"

namespace tendril::render {

// Letters of 5 by 7 dots, for the few words that a picture says: digits, small letters, + - . / ( ) and space. Others
// are left blank.
constexpr int letter_width = 6, letter_height = 7;  // with the gap to the next [dot]

// from the upper left corner on, each dot as a square of `size` pixels; what lies outside the picture is left out
void draw_text(const std::string& text, int column, int row, int size, const Vec3f& color, Picture& picture);

// a filled rectangle, opaque
void fill_rectangle(int column, int row, int width, int height, const Vec3f& color, Picture& picture);

}  // namespace tendril::render
