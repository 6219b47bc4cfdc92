#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tendril::app {

using Bytes = std::shared_ptr<const std::string>;

struct ServerOptions {
  std::string host = "127.0.0.1";  // the address that it listens at
  int port = 0;                    // 0: any that is free
  std::string token;               // without it nobody gets in
};

// what an address of the page answers
struct ServedFile {
  std::string type;  // "text/html; charset=utf-8"
  Bytes content;
};

// something that a client did
struct Arrival {
  enum class Kind { joined, left, said } kind = Kind::said;
  int client = 0;
  std::string text = {};
};

// One port, HTTP and WebSocket, on a thread of its own. Who has no token, or comes from another page, or by another
// name of this machine, gets nothing. What clients send is bounded in size and rate, what they do not take is bounded
// in memory, and neither can hold up who calls the functions below: they never wait for a client.
class ViewServer {
 public:
  // of a path like "/" or "/thumbnail/knots.png"; called on the server's thread. Nothing: 404
  using Files = std::function<std::optional<ServedFile>(const std::string& path)>;

  ViewServer(const ServerOptions& options, Files files);  // throws std::system_error
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;

  int port() const;
  std::string address() const;  // "http://127.0.0.1:8080/?token=…"

  // what has arrived since the last call, after waiting for it for at most so long [s]
  std::vector<Arrival> wait(double seconds);

  void send_text(int client, std::string text);
  void send_layout(int client, Bytes layout);
  void send_status(int client, std::string text);  // the newest takes the place of one that has not left yet
  // whether a frame that is offered now would leave soon: no more than one is unanswered
  bool wants_frame(int client) const;
  // of sides 0 and 1; the newest takes the place of one that has not left yet
  void offer_frame(int client, int side, unsigned sequence, Bytes frame);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// 128 random bits, as 32 hexadecimal digits
std::string random_token();

}  // namespace tendril::app
