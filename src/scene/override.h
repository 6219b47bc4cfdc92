#pragma once

#include <string>

#include "scene/document.h"

namespace tendril::scene {

// writes one --set PATH=VALUE into the document; throws SceneError that names it
void apply_set(Document& document, const std::string& set);

}  // namespace tendril::scene
