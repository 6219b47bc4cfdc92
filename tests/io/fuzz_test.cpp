// Every reader against files that are almost right. A file may be read or refused by a FileError; anything else that
// comes out, a crash, a hang or more memory than its size can justify is a failure, and leaves the file that did it.
// TENDRIL_FUZZ_SECONDS is the time for each reader, ten seconds when unset; with it every run tries other files.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>

#include "io/npz.h"
#include "io/take_checks.h"
#include "math/random.h"

namespace tendril::io {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;  // its shadow memory takes terabytes of addresses, so their number says nothing
#else
constexpr bool sanitized = false;
#endif

constexpr std::size_t largest_input = 1 << 16;
constexpr rlim_t memory_allowance = rlim_t(256) << 20;  // beyond what the process had: thousands of times the input
constexpr unsigned longest_read = 20;                   // [s]

using Read = Take (*)(std::span<const char>, const std::string&);

// the samples of a format, to start from
std::vector<Bytes> seeds(const std::string& extension) {
  std::vector<Bytes> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TENDRIL_SOURCE_DIR) + "/tests/io/samples"))
    if (entry.path().extension() == extension) files.push_back(read_file(entry.path()));
  return files;
}

std::size_t below(Random& random, std::size_t count) { return random.next() % count; }

// a number of the text replaced by one that is likelier to hurt
void edit_number(Bytes& bytes, Random& random) {
  static const char* const numbers[] = {"0",          "-1",  "1e999", "nan", "-inf", "99999999999999999999",
                                        "2147483648", "1e9", "0.5",   "-0",  "7",    "3"};
  std::size_t at = below(random, bytes.size());
  const auto is_digit = [&](std::size_t i) { return bytes[i] >= '0' && bytes[i] <= '9'; };
  while (at < bytes.size() && !is_digit(at)) ++at;
  std::size_t end = at;
  while (end < bytes.size() && is_digit(end)) ++end;
  const std::string number = numbers[below(random, std::size(numbers))];
  bytes.erase(bytes.begin() + at, bytes.begin() + end);
  bytes.insert(bytes.begin() + at, number.begin(), number.end());
}

// four bytes replaced by a count or a float that is likelier to hurt
void edit_word(Bytes& bytes, Random& random) {
  static const std::uint32_t words[] = {0,          1,          2,          0x7fffffff, 0x80000000,
                                        0xffffffff, 0x7fc00000, 0x7f800000, 0x00010000};
  if (bytes.size() < 4) return;
  const std::size_t at = random.next() % 2 ? below(random, bytes.size() / 4) * 4 : below(random, bytes.size() - 3);
  overwrite(bytes, at, words[below(random, std::size(words))]);
}

void mutate(Bytes& bytes, const std::vector<Bytes>& all, Random& random) {
  if (bytes.empty()) bytes = {'#'};
  const std::size_t at = below(random, bytes.size());
  switch (random.next() % 8) {
    case 0:
      bytes[at] ^= char(1 << random.next() % 8);
      break;
    case 1:
      bytes[at] = char(random.next());
      break;
    case 2:
      bytes.resize(at);
      break;
    case 3:
      bytes.erase(bytes.begin() + at, bytes.begin() + at + below(random, std::min<std::size_t>(bytes.size() - at, 40)));
      break;
    case 4:
      edit_number(bytes, random);
      break;
    case 5:
      edit_word(bytes, random);
      break;
    case 6: {  // a piece of another sample
      const Bytes& other = all[below(random, all.size())];
      const std::size_t from = below(random, other.size()),
                        size = below(random, std::min<std::size_t>(other.size() - from, 200) + 1);
      bytes.insert(bytes.begin() + at, other.begin() + from, other.begin() + from + size);
      break;
    }
    default: {  // a piece of itself again
      const Bytes piece(bytes.begin() + at,
                        bytes.begin() + at + below(random, std::min<std::size_t>(bytes.size() - at, 80) + 1));
      bytes.insert(bytes.begin() + below(random, bytes.size()), piece.begin(), piece.end());
    }
  }
  if (bytes.size() > largest_input) bytes.resize(largest_input);
}

// one array changed, so that the archive around it stays whole
void mutate(NpzArrays& arrays, Random& random) {
  static const char* const types[] = {"<f8", "<f4", "<i4", "<i8", "<u8", "|u1", "|b1", "<U1", "<U2"};
  if (arrays.empty()) return;
  auto chosen = std::next(arrays.begin(), below(random, arrays.size()));
  NpyArray& array = chosen->second;
  switch (random.next() % 6) {
    case 0:
      if (!array.shape.empty()) std::swap(array.shape[below(random, array.shape.size())], array.shape.back());
      break;
    case 1: {  // values of another type in the same bytes
      array.type = types[below(random, std::size(types))];
      const std::size_t width = array.type[1] == 'U' ? 4 * (array.type[2] - '0') : array.type[2] - '0';
      array.shape = {array.bytes.size() / width};
      array.bytes.resize(array.shape[0] * width);
      break;
    }
    case 2:
      arrays.erase(chosen);
      break;
    case 3:
      if (!array.shape.empty()) array.shape[below(random, array.shape.size())] = random.next() % 5;
      break;
    default:
      for (int k = 0; k < 3 && array.bytes.size() >= 4; ++k) edit_word(array.bytes, random);
  }
}

// the input of the moment, where the process that started this one can see it after a crash
struct Shared {
  std::size_t size = 0, inputs = 0, refused = 0;
  char message[512] = {};
  char bytes[largest_input] = {};
};

// reads what is in `input`, all moments that it has; false when something else than a FileError came out
bool read_once(Read read, Shared& shared) {
  alarm(longest_read);
  ++shared.inputs;
  try {
    const Take take = read(std::span<const char>(shared.bytes, shared.size), "fuzz");
    for (const Strand& strand : take.strands.strands)
      for (const int i : strand.points)
        if (i < 0 || i >= int(take.strands.points.size()))
          throw std::logic_error("a strand names a point that is not there");
    for (std::size_t k = 0; k < std::min<std::size_t>(take.times.size(), 3); ++k)
      for (const Vec3d& x : take.moment(int(k)).x)
        if (!is_finite(x)) throw std::logic_error("a point is not finite");
    return true;
  } catch (const FileError&) {
    ++shared.refused;
    return true;
  } catch (const std::exception& error) {
    std::strncpy(shared.message, error.what(), sizeof shared.message - 1);
    return false;
  }
}

void limit_memory() {
  if (sanitized) return;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t limit = pages * sysconf(_SC_PAGESIZE) + memory_allowance;
  const rlimit addresses{limit, limit};
  setrlimit(RLIMIT_AS, &addresses);
}

// in a process of its own
[[noreturn]] void fuzz(const Format& format, double seconds, std::uint64_t seed, Shared& shared) noexcept {
  limit_memory();
  const std::vector<Bytes> all = seeds(format.extension);
  const auto start = std::chrono::steady_clock::now();
  Random random(seed);
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
    Bytes input = all[below(random, all.size())];
    if (format.extension == ".npz" && random.next() % 4 != 0) {
      NpzArrays arrays = parse_npz(input, "sample");
      for (int k = 1 + random.next() % 3; k > 0; --k) mutate(arrays, random);
      input = npz_bytes(arrays);
    } else {
      for (int k = 1 + random.next() % 4; k > 0; --k) mutate(input, all, random);
    }
    if (input.size() > largest_input) continue;
    shared.size = input.size();
    std::copy(input.begin(), input.end(), shared.bytes);
    if (!read_once(format.read, shared)) _exit(1);
  }
  _exit(0);
}

class Fuzz : public testing::TestWithParam<std::string> {};

TEST_P(Fuzz, lets_nothing_out_but_a_file_error) {
  const Format& format = *find_format("x" + GetParam());
  ASSERT_FALSE(seeds(format.extension).empty()) << "there is no sample of " << format.extension;
  const char* wish = std::getenv("TENDRIL_FUZZ_SECONDS");
  const double seconds = wish ? std::atof(wish) : 10;
  const std::uint64_t seed = wish ? std::uint64_t(std::chrono::system_clock::now().time_since_epoch().count()) : 1;

  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  Shared& shared = *new (memory) Shared;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) fuzz(format, seconds, seed, shared);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);

  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    const auto file =
        std::filesystem::temp_directory_path() / ("tendril_fuzz_" + std::to_string(child) + format.extension);
    std::ofstream(file, std::ios::binary).write(shared.bytes, std::streamsize(shared.size));
    ADD_FAILURE() << (WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : shared.message) << "; the file is kept as "
                  << file;
  }
  // both ways out are walked
  EXPECT_GT(shared.inputs, 100u);
  EXPECT_GT(shared.refused, shared.inputs / 20);
  EXPECT_LT(shared.refused, shared.inputs);
  RecordProperty("inputs", std::to_string(shared.inputs));
  std::printf("  %zu files, %zu refused\n", shared.inputs, shared.refused);
  munmap(memory, sizeof(Shared));
}

std::vector<std::string> readable() {
  std::vector<std::string> extensions;
  for (const Format& format : formats())
    if (format.read) extensions.push_back(format.extension);
  return extensions;
}

INSTANTIATE_TEST_SUITE_P(readers, Fuzz, testing::ValuesIn(readable()),
                         [](const auto& info) { return info.param.substr(1); });

}  // namespace
}  // namespace tendril::io
