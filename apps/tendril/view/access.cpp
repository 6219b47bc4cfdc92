#include "view/access.h"

#include <algorithm>
#include <cctype>

namespace tendril::app {
namespace {

bool is_address(std::string_view host) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') return true;  // IPv6
  return !host.empty() &&
         std::all_of(host.begin(), host.end(), [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
}

bool is_loopback(std::string_view host) { return host == "127.0.0.1" || host == "[::1]" || host == "localhost"; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = char(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

bool Access::is_own_host(std::string_view host_header) const {
  const std::string given = lower(host_header);
  const std::string end = ":" + std::to_string(port);
  if (given.size() <= end.size() || given.compare(given.size() - end.size(), end.size(), end) != 0) return false;
  const std::string_view name = std::string_view(given).substr(0, given.size() - end.size());
  if (is_loopback(name) || name == lower(host) || name == "[" + lower(host) + "]") return true;
  return !is_loopback(host) && is_address(name);
}

bool Access::is_own_origin(std::string_view origin, std::string_view host_header) const {
  return is_own_host(host_header) && lower(origin) == "http://" + lower(host_header);
}

bool Access::is_token(std::string_view given) const {
  unsigned difference = given.size() == token.size() && !token.empty() ? 0 : 1;
  for (std::size_t k = 0; k < token.size(); ++k)
    difference |= unsigned(token[k]) ^ unsigned(k < given.size() ? given[k] : 0);
  return difference == 0;
}

Target parse_target(std::string_view target) {
  const std::size_t question = target.find('?');
  Target result{std::string(target.substr(0, question)), {}};
  if (question == std::string_view::npos) return result;
  std::string_view query = target.substr(question + 1);
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    if (query.substr(0, 6) == "token=") result.token = query.substr(6, end - 6);
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return result;
}

}  // namespace tendril::app
