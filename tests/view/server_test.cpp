#include "view/server.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <fstream>

#include "view/access.h"
#include "view/wire.h"

namespace tendril::app {
namespace {

constexpr const char* token = "0123456789abcdef";

std::optional<ServedFile> files(const std::string& path) {
  if (path != "/") return {};
  return ServedFile{"text/html", std::make_shared<const std::string>("the page")};
}

struct Server : ViewServer {
  Server() : ViewServer({"127.0.0.1", 0, token}, files) {}
  std::string with_token(const std::string& path) const { return path + "?token=" + token; }
  std::string origin() const { return "http://127.0.0.1:" + std::to_string(port()); }
  // somebody with the token is served, as ever
  void expect_works() {
    std::string answer;
    EXPECT_EQ(status_of({port(), with_token("/")}, &answer), 200);
    EXPECT_NE(answer.find("the page"), std::string::npos);
    EXPECT_TRUE(Socket(port(), token).is_open());
  }
};

double memory() {  // of this process [MB]
  std::ifstream in("/proc/self/statm");
  double pages = 0, resident = 0;
  in >> pages >> resident;
  return resident * 4096e-6;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// for both ends of a thousand connections
void allow_many_files() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::max<rlim_t>(limit.rlim_cur, std::min<rlim_t>(limit.rlim_max, 4096));
  setrlimit(RLIMIT_NOFILE, &limit);
}

TEST(server, lets_in_who_has_the_token) {
  Server server;
  server.expect_works();
  EXPECT_EQ(server.address(), server.origin() + "/?token=" + token);
  EXPECT_EQ(random_token().size(), 32u);
  EXPECT_NE(random_token(), random_token());
}

TEST(server, nobody_else) {
  Server server;
  const int port = server.port();
  const std::string ws = upgrade(server.origin());
  for (const std::string wrong :
       {"", "?token=", "?token=0123456789abcdee", "?token=0123456789abcdef0", "?tokem=0123456789abcdef"}) {
    EXPECT_EQ(status_of({port, "/" + wrong}), 403) << wrong;
    EXPECT_EQ(status_of({port, "/ws" + wrong, {}, "GET", ws}), 403) << wrong;
  }
}

TEST(server, no_other_page) {
  Server server;
  const auto status = [&](const std::string& origin) {
    return status_of({server.port(), server.with_token("/ws"), {}, "GET", upgrade(origin)});
  };
  for (const std::string& origin :
       {std::string(), std::string("null"), std::string("http://evil.example"), std::string("http://127.0.0.1"),
        std::string("http://127.0.0.1:1"), "https" + server.origin().substr(4), server.origin() + ".evil.example"})
    EXPECT_EQ(status(origin), 403) << origin;
}

// a page of another name whose name is then given this address
TEST(server, no_other_name_of_this_machine) {
  Server server;
  const std::string end = ":" + std::to_string(server.port());
  for (const std::string& host : {"evil.example" + end, std::string("127.0.0.1"), "127.0.0.1.evil.example" + end,
                                  std::string("127.0.0.1:1"), "10.0.0.1" + end, end})
    EXPECT_EQ(status_of({server.port(), server.with_token("/"), host}), 421) << host;
  EXPECT_EQ(status_of({server.port(), server.with_token("/ws"), "evil.example" + end, "GET",
                       upgrade("http://evil.example" + end)}),
            421);
  EXPECT_EQ(status_of({server.port(), server.with_token("/"), "localhost" + end}), 200);
}

TEST(access, a_host_that_was_named_is_called_by_its_name_or_a_number) {
  const Access all{"0.0.0.0", 80, token}, named{"desk", 80, token};
  EXPECT_TRUE(all.is_own_host("192.168.0.7:80"));
  EXPECT_TRUE(all.is_own_host("[fe80::1]:80"));
  EXPECT_FALSE(all.is_own_host("evil.example:80"));
  EXPECT_TRUE(named.is_own_host("Desk:80"));
  EXPECT_FALSE(named.is_own_host("evil.example:80"));
  EXPECT_FALSE((Access{"127.0.0.1", 80, ""}).is_token("")) << "no token is none";
}

TEST(server, no_file_but_its_own) {
  Server server;
  for (const std::string path :
       {"/etc/passwd", "/../../../../etc/passwd", "/..%2f..%2fetc/passwd", "/thumbnail/../../CMakeLists.txt",
        "//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/thumbnail/", "/index.html", "/\\..\\..\\x"}) {
    std::string answer;
    EXPECT_EQ(status_of({server.port(), server.with_token(path)}, &answer), 404) << path;
    EXPECT_EQ(answer.find("root:"), std::string::npos);
  }
  for (const char* const method : {"POST", "PUT", "DELETE", "OPTIONS"})
    EXPECT_EQ(status_of({server.port(), server.with_token("/"), {}, method}), 405) << method;
}

TEST(server, nothing_that_is_too_long_or_no_request) {
  Server server;
  EXPECT_NE(status_of({server.port(), "/" + std::string(100'000, 'a')}), 200);
  EXPECT_NE(status_of({server.port(), server.with_token("/"), {}, "GET", "X: " + std::string(100'000, 'a') + "\r\n"}),
            200);
  EXPECT_NE(status_of({server.port(), server.with_token("/"), {}, "GET", "Content-Length: 100000000\r\n"}), 200);
  for (const std::string& garbage :
       {std::string("\0\1\2\3\r\n\r\n", 8), std::string("GET\r\n\r\n"), std::string(5000, '\n'),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15)}) {
    Wire wire(server.port());
    wire.send(garbage);
    EXPECT_EQ(wire.read_all(300).find("200 OK"), std::string::npos);
  }
  server.expect_works();
}

TEST(server, no_message_that_is_too_long_or_malformed) {
  Server server;
  const std::string huge = std::string("\x81\xff", 2) + std::string(8, '\x7f') + std::string(4, '\0');
  for (const std::string& bytes : {Socket::frame(std::string((1 << 20) + 1, ' ')), huge, Socket::frame("{}", 1, false),
                                   Socket::frame("{}", 3), Socket::frame("\xff\xfe\xfd", 1), Socket::frame("{}", 2),
                                   std::string(100, '\xff'), Socket::frame(std::string(200, 'p'), 9)}) {
    Socket socket(server.port(), token);
    ASSERT_TRUE(socket.is_open());
    socket.wire().send(bytes);
    EXPECT_TRUE(socket.wire().is_closed()) << bytes.substr(0, 20);
  }
  server.expect_works();
}

TEST(server, who_talks_too_much_is_sent_away) {
  Server server;
  Socket socket(server.port(), token);
  for (int n = 0; n < 4000; ++n) socket.send("{\"type\":\"play\"}");
  EXPECT_TRUE(socket.wire().is_closed());
  server.expect_works();
}

// what nobody has listened to yet does not pile up, and who comes or goes is heard of all the same
TEST(server, who_says_much_while_nobody_listens_is_not_heard) {
  Server server;
  Socket loud(server.port(), token);
  const std::string said(1'000'000, 'x');
  for (int n = 0; n < 40; ++n) loud.send(said);
  loud.wire().send(Socket::frame("all", 9));  // the answer comes when what was said before has arrived
  ASSERT_FALSE(loud.wire().read_until("all", 20000).empty());
  const Socket late(server.port(), token);
  std::size_t heard = 0;
  int joined = 0;
  while (joined < 2) {
    const std::vector<Arrival> arrivals = server.wait(20);
    ASSERT_FALSE(arrivals.empty());
    for (const Arrival& arrival : arrivals)
      heard += arrival.text.size(), joined += arrival.kind == Arrival::Kind::joined;
  }
  EXPECT_GT(heard, said.size());
  EXPECT_LE(heard, std::size_t(16) << 20);
}

// half of a request, and no more
TEST(server, who_says_nothing_does_not_keep_others_out) {
  Server server;
  std::vector<Wire> silent;
  for (int n = 0; n < 300; ++n) {
    silent.emplace_back(server.port());
    silent.back().send(n % 2 ? "GET / HTTP/1.1\r\nHo" : "");
  }
  server.expect_works();
}

TEST(server, a_thousand_connections_do_not_keep_others_out) {
  allow_many_files();
  Server server;
  std::vector<Wire> all;
  for (int n = 0; n < 1000; ++n) {
    all.emplace_back(server.port());
    if (n % 3 == 0)
      all.back().send("GET /?token=x HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n\r\n");
  }
  server.expect_works();
}

// it reads nothing: what is offered replaces what is not gone yet
TEST(server, a_slow_client_costs_neither_time_nor_memory) {
  Server server;
  Socket socket(server.port(), token);
  ASSERT_TRUE(socket.is_open());
  const std::vector<Arrival> arrivals = server.wait(5);
  ASSERT_EQ(arrivals.size(), 1u);
  EXPECT_EQ(arrivals[0].kind, Arrival::Kind::joined);
  const int client = arrivals[0].client;
  const double before = memory(), began = now();
  for (unsigned n = 1; n <= 3000; ++n) {
    server.offer_frame(client, 0, n, std::make_shared<const std::string>(1 << 20, 'x'));
    server.send_status(client, std::string(1000, 's'));
    if (n % 100 == 0) (void)server.wait(0.01);
  }
  EXPECT_LT(memory() - before, 300) << "of 3 GB that were offered";
  EXPECT_LT(now() - began, 60);
  EXPECT_FALSE(server.wants_frame(client));
  server.expect_works();
}

TEST(server, the_newest_frame_comes_when_the_last_was_drawn) {
  Server server;
  Socket socket(server.port(), token);
  const int client = server.wait(5).at(0).client;
  const auto offer = [&](unsigned n) {
    server.offer_frame(client, 0, n, std::make_shared<const std::string>(std::to_string(n)));
  };
  const auto is_wanted = [&] {
    for (int n = 0; n < 500 && !server.wants_frame(client); ++n) usleep(10'000);
    return server.wants_frame(client);
  };
  ASSERT_TRUE(is_wanted());
  offer(1);
  EXPECT_EQ(socket.read()->content, "1");
  ASSERT_TRUE(is_wanted()) << "one may be unanswered";
  offer(2);
  EXPECT_EQ(socket.read()->content, "2");
  usleep(50'000);
  EXPECT_FALSE(server.wants_frame(client)) << "two may not";
  socket.send("{ \"type\": \"ack\", \"sequence\": 2 }");
  ASSERT_TRUE(is_wanted());
  EXPECT_TRUE(server.wait(0).empty()) << "an answer to a frame goes no further";
  socket.send("{\"type\":\"play\"}");
  const std::vector<Arrival> said = server.wait(5);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].text, "{\"type\":\"play\"}");
}

}  // namespace
}  // namespace tendril::app
