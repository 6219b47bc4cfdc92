#pragma once

#include <string>
#include <string_view>

namespace tendril::app {

// Who may come in: questions about the first lines of a request, answered without the network.
struct Access {
  std::string host;  // the address that the server listens at
  int port = 0;
  std::string token;

  // The name by which the server was called. Another page may give its own name the address of this machine (DNS
  // rebinding): so it is localhost or an address in numbers, never a name from outside, unless --host names it.
  bool is_own_host(std::string_view host_header) const;
  // The page that a socket comes from is one of this server.
  bool is_own_origin(std::string_view origin, std::string_view host_header) const;
  // compared in the same time wherever they differ
  bool is_token(std::string_view given) const;
};

// a target of a request: "/ws?token=…"
struct Target {
  std::string path, token;
};
Target parse_target(std::string_view target);

}  // namespace tendril::app
