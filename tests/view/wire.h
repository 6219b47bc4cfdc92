#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>

namespace tendril::app {

// A connection to this machine, byte by byte: it can say what no browser would.
class Wire {
 public:
  explicit Wire(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET, address.sin_port = htons(std::uint16_t(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_open_ = connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  Wire(Wire&& other) noexcept : socket_(std::exchange(other.socket_, -1)), is_open_(other.is_open_) {}
  ~Wire() {
    if (socket_ >= 0) close(socket_);
  }

  bool is_open() const { return is_open_; }
  void send(const std::string& bytes) {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t n = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return;
      sent += std::size_t(n);
    }
  }
  // what comes until the other side closes, or for so long [ms]
  std::string read_all(int patience = 5000) {
    while (receive(patience)) {
    }
    return std::exchange(received_, {});
  }
  bool is_closed(int patience = 5000) {  // by the other side, before that [ms]
    while (receive(patience)) received_.clear();
    return has_ended_;
  }
  // up to and with this
  std::string read_until(const std::string& end, int patience = 5000) {
    std::size_t at = 0;
    while ((at = received_.find(end)) == std::string::npos)
      if (!receive(patience)) return {};
    return take(at + end.size());
  }
  std::optional<std::string> read_bytes(std::size_t count, int patience = 5000) {
    while (received_.size() < count)
      if (!receive(patience)) return {};
    return take(count);
  }

 private:
  bool receive(int patience) {
    pollfd ready{socket_, POLLIN, 0};
    if (poll(&ready, 1, patience) <= 0) return false;
    char block[65536];
    const ssize_t n = recv(socket_, block, sizeof block, 0);
    if (n <= 0) return has_ended_ = true, false;
    received_.append(block, std::size_t(n));
    return true;
  }
  std::string take(std::size_t count) {
    std::string taken = received_.substr(0, count);
    received_.erase(0, count);
    return taken;
  }

  int socket_;
  bool is_open_ = false, has_ended_ = false;
  std::string received_;
};

// a request as a browser makes it
struct Request {
  int port = 0;
  std::string target = "/", host = {}, method = "GET", more = {};  // more: lines
  std::string text() const {
    return method + " " + target + " HTTP/1.1\r\nHost: " + (host.empty() ? "127.0.0.1:" + std::to_string(port) : host) +
           "\r\n" + more + "\r\n";
  }
};

// the number of the answer; 0: none
inline int status_of(const Request& request, std::string* answer = nullptr) {
  Wire wire(request.port);
  wire.send(request.text());
  const std::string all = wire.read_all();
  if (answer) *answer = all;
  return all.substr(0, 9) == "HTTP/1.1 " ? std::stoi(all.substr(9, 3)) : 0;
}

inline std::string upgrade(const std::string& origin) {
  return (origin.empty() ? "" : "Origin: " + origin + "\r\n") +
         "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
}

// a WebSocket, made by hand
class Socket {
 public:
  Socket(int port, const std::string& token) : wire_(port) {
    const std::string origin = "http://127.0.0.1:" + std::to_string(port);
    wire_.send(Request{port, "/ws?token=" + token, {}, "GET", upgrade(origin)}.text());
    is_open_ = wire_.read_until("\r\n\r\n").substr(9, 3) == "101";
  }
  bool is_open() const { return is_open_; }
  Wire& wire() { return wire_; }

  // one whole frame; opcode 1: text, 2: binary
  static std::string frame(const std::string& content, int opcode = 1, bool is_masked = true) {
    std::string bytes(1, char(0x80 | opcode));
    const std::size_t size = content.size();
    const int mask = is_masked ? 0x80 : 0;
    if (size < 126) {
      bytes += char(mask | int(size));
    } else {
      const int digits = size < 65536 ? 2 : 8;
      bytes += char(mask | (digits == 2 ? 126 : 127));
      for (int k = digits - 1; k >= 0; --k) bytes += char(size >> (8 * k));
    }
    if (is_masked) bytes += std::string(4, '\0');  // a mask of zeros leaves the content as it is
    return bytes + content;
  }
  void send(const std::string& text) { wire_.send(frame(text)); }

  struct Message {
    int opcode = 0;
    std::string content;
  };
  std::optional<Message> read(int patience = 5000) {
    const auto head = wire_.read_bytes(2, patience);
    if (!head) return {};
    std::uint64_t size = std::uint8_t((*head)[1]) & 127;
    if (size >= 126) {
      const auto more = wire_.read_bytes(size == 126 ? 2 : 8, patience);
      if (!more) return {};
      size = 0;
      for (const char c : *more) size = size << 8 | std::uint8_t(c);
    }
    const auto content = wire_.read_bytes(size, patience);
    if (!content) return {};
    return Message{(*head)[0] & 15, *content};
  }

 private:
  Wire wire_;
  bool is_open_ = false;
};

}  // namespace tendril::app
