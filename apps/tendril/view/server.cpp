#include "view/server.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <charconv>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <system_error>
#include <thread>

#include "view/access.h"
#include "view/message_rate.h"

namespace tendril::app {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using std::chrono::seconds;

constexpr std::size_t most_visitors = 256;                     // connections that have shown no token yet
constexpr std::size_t most_clients = 16;                       // sockets
constexpr std::size_t longest_header = 8192;                   // [bytes]
constexpr std::size_t longest_message = std::size_t(1) << 20;  // [bytes]
constexpr std::size_t most_waiting = std::size_t(256) << 20;   // texts and layouts that a client has not taken [bytes]
constexpr std::size_t most_arrivals = 4096;                    // that nobody has asked for yet,
constexpr std::size_t most_said = std::size_t(16) << 20;       // and their texts [bytes]
constexpr seconds patience(10);                                // for a request or an answer

// the number in {"type":"ack","sequence":17}, which comes once for every frame and goes no further
std::optional<unsigned> acknowledged(std::string_view text) {
  constexpr std::string_view key = "\"sequence\"";
  const std::size_t at = text.find(key);
  if (text.size() > 64 || text.find("\"ack\"") == std::string_view::npos || at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  text.remove_prefix(std::min(text.find_first_not_of(" :"), text.size()));
  unsigned sequence = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), sequence).ec != std::errc{}) return {};
  return sequence;
}

}  // namespace

// ---- what the thread of the server and that of the engine share

class ViewServer::Implementation {
 public:
  Implementation(const ServerOptions& options, Files files);
  ~Implementation();

  std::vector<Arrival> wait(double seconds);
  template <class Act>
  void on_client(int client, Act act);  // on the thread of the server
  bool wants_frame(int client) const;
  const Access& access() const { return access_; }

 private:
  class Visitor;
  class Client;

  void accept();
  void make_room();
  void arrive(Arrival arrival);

  Access access_;
  Files files_;
  asio::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  std::deque<std::weak_ptr<Visitor>> visitors_;  // the oldest first
  std::map<int, std::shared_ptr<Client>> clients_;
  int next_client_ = 1;

  mutable std::mutex mutex_;  // of these:
  std::condition_variable arrived_;
  std::vector<Arrival> arrivals_;
  std::size_t said_ = 0;  // in them [bytes]
  std::set<int> ready_;   // clients that want a frame

  std::thread thread_;
};

// ---- one who has shown no token yet: a request, and its answer

class ViewServer::Implementation::Visitor : public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(Implementation& server, tcp::socket socket) : server_(server), stream_(std::move(socket)) {
    parser_.header_limit(longest_header);
    parser_.body_limit(0);
  }

  void read() {
    stream_.expires_after(patience);
    http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error) return self->answer_request();
      if (error == http::error::header_limit || error == http::error::body_limit)
        self->refuse(http::status::payload_too_large);
    });
  }
  void close() { stream_.close(); }

 private:
  void answer_request() {
    const auto& request = parser_.get();
    const std::string_view host(request[http::field::host].data(), request[http::field::host].size());
    const Target target = parse_target({request.target().data(), request.target().size()});
    if (!server_.access_.is_own_host(host)) return refuse(http::status::misdirected_request);
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return refuse(http::status::method_not_allowed);
    if (!server_.access_.is_token(target.token)) return refuse(http::status::forbidden);
    if (target.path == "/ws") return open_socket(host);
    const std::optional<ServedFile> file = server_.files_(target.path);
    if (!file) return refuse(http::status::not_found);
    response_.body() = *file->content;
    response_.set(http::field::content_type, file->type);
    send(http::status::ok);
  }

  void open_socket(std::string_view host);
  void refuse(http::status status) {
    response_.body() = std::string(http::obsolete_reason(status)) + "\n";
    response_.set(http::field::content_type, "text/plain");
    send(status);
  }

  // One answer, and the connection ends. Nothing of the page loads from, or sends to, anywhere else.
  void send(http::status status) {
    response_.result(status);
    response_.version(11);
    response_.keep_alive(false);
    response_.set(http::field::cache_control, "no-store");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set(http::field::x_frame_options, "DENY");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'unsafe-inline' blob: 'wasm-unsafe-eval'; style-src 'unsafe-inline'; "
        "img-src 'self' data: blob:; media-src blob:; worker-src blob:; font-src data:; connect-src 'self' ws:; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
    response_.prepare_payload();
    if (parser_.get().method() == http::verb::head) response_.body().clear();
    stream_.expires_after(patience);
    http::async_write(stream_, response_, [self = shared_from_this()](beast::error_code, std::size_t) {
      beast::error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    });
  }

  Implementation& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{2 * longest_header};
  http::request_parser<http::empty_body> parser_;
  http::response<http::string_body> response_;
};

// ---- one who is in

class ViewServer::Implementation::Client : public std::enable_shared_from_this<Client> {
 public:
  Client(Implementation& server, int number, beast::tcp_stream stream)
      : server_(server), number_(number), socket_(std::move(stream)) {
    websocket::stream_base::timeout timeout{patience, seconds(60), true};
    socket_.set_option(timeout);
    socket_.read_message_max(longest_message);
    socket_.auto_fragment(false);
  }

  void open(const http::request<http::empty_body>& request) {
    socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
      if (error) return self->leave();
      self->is_open_ = true;
      self->server_.arrive({Arrival::Kind::joined, self->number_});
      self->update_readiness();
      self->read();
    });
  }

  // in their order, before any frame
  void send(Bytes bytes, bool is_text) {
    waiting_bytes_ += bytes->size();
    if (waiting_bytes_ > most_waiting) return leave();
    waiting_.push_back({std::move(bytes), is_text});
    write();
  }
  void send_status(Bytes text) { status_ = std::move(text), write(); }
  void offer_frame(int side, unsigned sequence, Bytes frame) {
    if (side < 0 || side > 1) return;
    frame_[side] = {std::move(frame), sequence};
    write();
  }

  void leave() {
    if (has_left_) return;
    has_left_ = true;
    beast::get_lowest_layer(socket_).close();
    if (is_open_) server_.arrive({Arrival::Kind::left, number_});
    set_ready(false);
    const auto self = shared_from_this();
    asio::post(server_.context_, [self] { self->server_.clients_.erase(self->number_); });
  }

 private:
  struct Outgoing {
    Bytes bytes;
    bool is_text = false;
  };
  struct Frame {
    Bytes bytes;
    unsigned sequence = 0;
  };

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error || !self->socket_.got_text() || !self->rate_.takes_one()) return self->leave();
      self->take(beast::buffers_to_string(self->buffer_.data()));
      self->buffer_.consume(self->buffer_.size());
      if (!self->has_left_) self->read();
    });
  }

  void take(std::string text) {
    if (const std::optional<unsigned> sequence = acknowledged(text)) {
      std::erase_if(unanswered_, [&](unsigned sent) { return sent <= *sequence; });
      update_readiness();
    } else {
      server_.arrive({Arrival::Kind::said, number_, std::move(text)});
    }
  }

  // the next of what is to be sent, one at a time
  void write() {
    if (is_writing_ || has_left_ || !is_open_) return;
    if (!waiting_.empty()) {
      writing_ = std::move(waiting_.front());
      waiting_.pop_front();
      waiting_bytes_ -= writing_.bytes->size();
    } else if (Frame* const frame = frame_[0].bytes ? &frame_[0] : frame_[1].bytes ? &frame_[1] : nullptr) {
      writing_ = {std::move(frame->bytes), false};
      unanswered_.insert(frame->sequence);
      frame->bytes.reset();
    } else if (status_) {
      writing_ = {std::move(status_), true};
      status_.reset();
    } else {
      return;
    }
    update_readiness();
    is_writing_ = true;
    socket_.text(writing_.is_text);
    socket_.async_write(asio::buffer(*writing_.bytes),
                        [self = shared_from_this()](beast::error_code error, std::size_t) {
                          self->is_writing_ = false;
                          if (error) return self->leave();
                          self->update_readiness();
                          self->write();
                        });
  }

  void update_readiness() {
    set_ready(is_open_ && !has_left_ && !frame_[0].bytes && !frame_[1].bytes && unanswered_.size() <= 1);
  }
  void set_ready(bool is_ready) {
    const std::lock_guard lock(server_.mutex_);
    const bool is_new = is_ready ? server_.ready_.insert(number_).second : (server_.ready_.erase(number_), false);
    if (is_new) server_.arrived_.notify_one();
  }

  Implementation& server_;
  const int number_;
  websocket::stream<beast::tcp_stream> socket_;
  beast::flat_buffer buffer_{longest_message + 1024};
  MessageRate rate_;
  bool is_open_ = false, has_left_ = false, is_writing_ = false;
  Outgoing writing_;
  std::deque<Outgoing> waiting_;
  std::size_t waiting_bytes_ = 0;
  Bytes status_;
  Frame frame_[2];
  std::set<unsigned> unanswered_;  // sequences of frames that were sent
};

void ViewServer::Implementation::Visitor::open_socket(std::string_view host) {
  const auto origin = parser_.get()[http::field::origin];
  if (!server_.access_.is_own_origin({origin.data(), origin.size()}, host)) return refuse(http::status::forbidden);
  if (!websocket::is_upgrade(parser_.get())) return refuse(http::status::upgrade_required);
  if (server_.clients_.size() >= most_clients) return refuse(http::status::service_unavailable);
  stream_.expires_never();
  const int number = server_.next_client_++;
  const auto client = std::make_shared<Client>(server_, number, std::move(stream_));
  server_.clients_[number] = client;
  client->open(parser_.release());
}

// ---- the server

ViewServer::Implementation::Implementation(const ServerOptions& options, Files files)
    : access_{options.host, options.port, options.token}, files_(std::move(files)) {
  beast::error_code error;
  const auto check = [&](const char* what) {
    if (error)
      throw std::system_error(error.value(), std::generic_category(),
                              options.host + ":" + std::to_string(options.port) + ": " + what);
  };
  tcp::resolver resolver(context_);
  const auto found = resolver.resolve(options.host, std::to_string(options.port), tcp::resolver::passive, error);
  if (error || found.empty())
    throw std::system_error(std::make_error_code(std::errc::address_not_available), options.host);
  const tcp::endpoint endpoint = *found.begin();
  acceptor_.open(endpoint.protocol(), error), check("cannot be opened");
  acceptor_.set_option(asio::socket_base::reuse_address(true), error);
  acceptor_.bind(endpoint, error), check("cannot be listened at");
  acceptor_.listen(asio::socket_base::max_listen_connections, error), check("cannot be listened at");
  access_.port = acceptor_.local_endpoint().port();
  accept();
  thread_ = std::thread([this] { context_.run(); });
}

ViewServer::Implementation::~Implementation() {
  asio::post(context_, [this] {
    beast::error_code ignored;
    acceptor_.close(ignored);
    for (const auto& [number, client] : std::map(clients_)) client->leave();
    for (const auto& visitor : visitors_)
      if (const auto still_here = visitor.lock()) still_here->close();
    context_.stop();
  });
  thread_.join();
}

void ViewServer::Implementation::accept() {
  acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
    if (!acceptor_.is_open()) return;
    if (!error) {
      beast::error_code ignored;
      socket.set_option(tcp::no_delay(true), ignored);
      make_room();
      const auto visitor = std::make_shared<Visitor>(*this, std::move(socket));
      visitors_.push_back(visitor);
      visitor->read();
    }
    accept();
  });
}

// Of too many who say nothing the oldest goes: one who has the token always finds a way in.
void ViewServer::Implementation::make_room() {
  std::erase_if(visitors_, [](const auto& visitor) { return visitor.expired(); });
  if (visitors_.size() < most_visitors) return;
  if (const auto oldest = visitors_.front().lock()) oldest->close();
  visitors_.pop_front();
}

void ViewServer::Implementation::arrive(Arrival arrival) {
  const std::lock_guard lock(mutex_);
  const bool is_full = arrivals_.size() >= most_arrivals || said_ + arrival.text.size() > most_said;
  if (arrival.kind == Arrival::Kind::said && is_full) return;  // the engine is long in a step
  said_ += arrival.text.size();
  arrivals_.push_back(std::move(arrival));
  arrived_.notify_one();
}

std::vector<Arrival> ViewServer::Implementation::wait(double most) {
  std::unique_lock lock(mutex_);
  if (arrivals_.empty() && most > 0) arrived_.wait_for(lock, std::chrono::duration<double>(most));
  said_ = 0;
  return std::exchange(arrivals_, {});
}

template <class Act>
void ViewServer::Implementation::on_client(int client, Act act) {
  asio::post(context_, [this, client, act = std::move(act)]() mutable {
    if (const auto found = clients_.find(client); found != clients_.end()) act(*std::shared_ptr(found->second));
  });
}

bool ViewServer::Implementation::wants_frame(int client) const {
  const std::lock_guard lock(mutex_);
  return ready_.contains(client);
}

ViewServer::ViewServer(const ServerOptions& options, Files files)
    : implementation_(std::make_unique<Implementation>(options, std::move(files))) {}
ViewServer::~ViewServer() = default;

int ViewServer::port() const { return implementation_->access().port; }

std::string ViewServer::address() const {
  const Access& access = implementation_->access();
  const bool is_any = access.host == "0.0.0.0" || access.host == "::";
  const std::string host = is_any                                       ? "127.0.0.1"
                           : access.host.find(':') != std::string::npos ? "[" + access.host + "]"
                                                                        : access.host;
  return "http://" + host + ":" + std::to_string(access.port) + "/?token=" + access.token;
}

std::vector<Arrival> ViewServer::wait(double seconds) { return implementation_->wait(seconds); }
bool ViewServer::wants_frame(int client) const { return implementation_->wants_frame(client); }

void ViewServer::send_text(int client, std::string text) {
  implementation_->on_client(
      client, [bytes = std::make_shared<const std::string>(std::move(text))](auto& c) { c.send(bytes, true); });
}
void ViewServer::send_layout(int client, Bytes layout) {
  implementation_->on_client(client, [layout = std::move(layout)](auto& c) { c.send(layout, false); });
}
void ViewServer::send_status(int client, std::string text) {
  implementation_->on_client(
      client, [bytes = std::make_shared<const std::string>(std::move(text))](auto& c) { c.send_status(bytes); });
}
void ViewServer::offer_frame(int client, int side, unsigned sequence, Bytes frame) {
  implementation_->on_client(client, [=](auto& c) { c.offer_frame(side, sequence, frame); });
}

std::string random_token() {
  std::random_device device;  // of the system
  std::string token;
  for (int k = 0; k < 32; ++k) token += "0123456789abcdef"[device() % 16];
  return token;
}

}  // namespace tendril::app
