#include "io/formats/usda_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/formats/checked.h"

namespace tendril::io {
namespace {

constexpr int deepest = 100;  // prims inside prims

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// numbers in each value of the attributes that are read; 0: it holds texts, -1: it is passed over
int width_of(std::string_view name, std::string_view type) {
  if (is_one_of(name, {"xformOpOrder", "type", "wrap", "basis", "primvars:rod:name"})) return 0;
  if (is_one_of(name, {"points", "velocities", "primvars:displayColor"})) return 3;
  if (is_one_of(name, {"curveVertexCounts", "widths", "primvars:widths"})) return 1;
  if (is_one_of(name, {"primvars:strand:id", "primvars:point:id", "primvars:rod:id"})) return 1;
  if (name == "primvars:rod:orientation") return 4;
  if (!name.starts_with("xformOp:")) return -1;
  return type.starts_with("matrix4") ? 16 : type.starts_with("quat") ? 4 : type.find('3') != type.npos ? 3 : 1;
}

// of a text that stands between one or three quotes
std::string_view without_quotes(std::string_view value) {
  if (value.size() < 2 || (value[0] != '"' && value[0] != '\'')) return value;
  const std::size_t quotes = value.size() >= 6 && value[1] == value[0] && value[2] == value[0] ? 3 : 1;
  return value.substr(quotes, value.size() - 2 * quotes);
}

class StageParser {
 public:
  explicit StageParser(UsdaText in) : in_(std::move(in)) {}

  UsdaStage parse() {
    parse_stage_metadata();
    while (!in_.at_end()) {
      const std::string_view word = in_.word();
      if (word == "reorder")
        skip_reorder();
      else
        parse_prim(word, Affine{}, 1);
    }
    return std::move(stage_);
  }

 private:
  void parse_stage_metadata() {
    for (const auto& [key, value] : in_.metadata()) {
      if (key == "upAxis") {
        const std::string_view axis = without_quotes(value);
        if (!is_one_of(axis, {"X", "Y", "Z"})) in_.fail("upAxis should be \"X\", \"Y\" or \"Z\"");
        stage_.up = axis[0] - 'X';
      }
      if (key == "metersPerUnit") stage_.meters_per_unit = positive(key, value);
      if (key == "timeCodesPerSecond") stage_.codes_per_second = positive(key, value);
      if (key == "framesPerSecond") stage_.frames_per_second = positive(key, value);
      if (key == "doc") stage_.title = unescaped(without_quotes(value));
    }
  }

  double positive(const std::string& key, std::string_view text) const {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    if (!(value > 0 && std::isfinite(value))) in_.fail(key + " should be a number greater than 0");
    return value;
  }

  void skip_reorder() {
    in_.word();
    in_.expect('=');
    in_.skip_value();
  }

  // `def Type "name" ( metadata ) { … }`; what is not defined or not active is passed over
  void parse_prim(std::string_view specifier, const Affine& parent, int depth) {
    if (!is_one_of(specifier, {"def", "over", "class"}))
      in_.fail(fmt::format("has \"{}\" where `def` should stand", clean_text(specifier.substr(0, 40))));
    if (depth > deepest) in_.fail("has prims nested deeper than anything sensible");
    std::string_view type;
    if (in_.peek() != '"' && in_.peek() != '\'') type = in_.word();
    const std::string name = clean_text(in_.text());
    const auto metadata = in_.metadata();
    const auto active = metadata.find("active");
    if (in_.peek() != '{') in_.expect('{');
    if (specifier != "def" || (active != metadata.end() && active->second == "false"))
      in_.skip_value();
    else
      parse_body(type, name, parent, depth);
  }

  // attributes come before child prims in files that programs write, but need not
  void parse_body(std::string_view type, const std::string& name, const Affine& parent, int depth) {
    UsdaAttributes attributes;
    Affine to_world = parent;
    bool placed = false;
    const auto place = [&] {
      bool resets = false;
      const Affine local = local_transform(attributes, in_, resets);
      to_world = resets ? local : parent(local);
      placed = true;
    };
    in_.expect('{');
    while (!in_.accept('}')) {
      const std::string_view word = in_.word();
      if (is_one_of(word, {"def", "over", "class"})) {
        if (!placed) place();
        parse_prim(word, to_world, depth + 1);
      } else if (word == "variantSet") {
        in_.text();
        in_.expect('=');
        in_.skip_value();
      } else if (word == "reorder") {
        skip_reorder();
      } else {
        const bool moves = parse_property(word, is_one_of(type, {"BasisCurves", "Mesh"}), attributes);
        if (moves && placed) in_.fail("has an xformOp behind a child prim: move it in front");
      }
    }
    if (!is_one_of(type, {"BasisCurves", "Mesh"})) return;
    if (!placed) place();
    (type == "Mesh" ? stage_.meshes : stage_.curves).push_back({name, std::move(attributes), to_world});
  }

  // true for those that move the prim
  bool parse_property(std::string_view word, bool of_curves, UsdaAttributes& attributes) {
    while (is_one_of(word, {"custom", "uniform", "varying", "config", "prepend", "append", "add", "delete"}))
      word = in_.word();
    const std::string_view type = word;
    if (in_.accept('[')) in_.expect(']');
    const std::string_view full = in_.word();
    const std::size_t dot = full.find('.');
    const std::string_view name = full.substr(0, dot), part = dot == full.npos ? "" : full.substr(dot + 1);
    const bool moves = name.starts_with("xformOp");
    int width = type == "rel" || part == "connect" || !(of_curves || moves) ? -1 : width_of(name, type);
    if (width < 0) {
      if (in_.accept('=')) in_.skip_value();
      in_.metadata();
      return false;
    }
    UsdaAttribute& attribute = attributes[std::string(name)];
    if (in_.accept('=')) {
      if (part == "timeSamples")
        parse_samples(width, attribute);
      else if (width == 0)
        attribute.texts = in_.texts();
      else
        attribute.value = in_.numbers(width);
    }
    const auto metadata = in_.metadata();
    const auto interpolation = metadata.find("interpolation");
    if (interpolation != metadata.end()) attribute.interpolation = without_quotes(interpolation->second);
    return moves;
  }

  // `{ code: value, … }`; None leaves a sample out
  void parse_samples(int width, UsdaAttribute& attribute) {
    attribute.samples.clear();
    in_.expect('{');
    while (!in_.accept('}')) {
      const double code = in_.number();
      if (!std::isfinite(code)) in_.fail("has a time code that is not finite");
      in_.expect(':');
      if (width == 0)
        in_.skip_value();
      else if (auto values = in_.numbers(width); !values.empty())
        attribute.samples.emplace_back(code, std::move(values));
      if (in_.peek() != '}') in_.expect(',');
    }
    const auto by_code = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(attribute.samples.begin(), attribute.samples.end(), by_code);
    for (std::size_t k = 1; k < attribute.samples.size(); ++k)
      if (attribute.samples[k].first == attribute.samples[k - 1].first)
        in_.fail(fmt::format("has two samples at the time code {}", attribute.samples[k].first));
  }

  UsdaText in_;
  UsdaStage stage_;
};

}  // namespace

UsdaStage parse_usda(UsdaText in) { return StageParser(std::move(in)).parse(); }

}  // namespace tendril::io
