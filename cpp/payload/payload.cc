#include "payload/payload.h"

#include <algorithm>
#include <stdexcept>

#include "payload/splitmix.h"

namespace rpcbench::payload {
namespace {

constexpr std::array<std::string_view, 8> kNames = {"Ada",  "Barbara", "Edsger",  "Grace",
                                                    "Kurt", "Leslie",  "Niklaus", "Tony"};
constexpr std::array<std::string_view, 8> kCities = {"Athens",  "Berlin", "Cairo", "Lima",
                                                     "Nairobi", "Oslo",   "Porto", "Quito"};

// Returns random words in little-endian order.
std::string random(uint64_t seed, std::size_t n) {
  std::string bytes(n, '\0');
  SplitMix words(seed);
  for (std::size_t i = 0; i < n;) {
    uint64_t word = words.next();
    for (int k = 0; k < 8 && i < n; ++k, ++i, word >>= 8) {
      bytes[i] = static_cast<char>(word & 0xff);
    }
  }
  return bytes;
}

// Returns one line of JSON for a random word.
std::string line(uint64_t w) {
  const uint64_t cents = (w >> 56) % 100;
  std::string text = "{\"id\":" + std::to_string(w % 1'000'000);
  text.append(",\"name\":\"").append(kNames[(w >> 32) & 7]);
  text.append("\",\"city\":\"").append(kCities[(w >> 35) & 7]);
  text.append("\",\"active\":").append(((w >> 38) & 1) == 1 ? "true" : "false");
  text.append(",\"balance\":").append(std::to_string((w >> 40) % 10'000)).append(cents < 10 ? ".0" : ".");
  return text.append(std::to_string(cents)).append("}\n");
}

std::string json(uint64_t seed, std::size_t n) {
  std::string lines;
  lines.reserve(n + 128);  // a line has at most 85 bytes
  SplitMix words(seed);
  while (lines.size() < n) {
    lines += line(words.next());
  }
  lines.resize(n);
  return lines;
}

}  // namespace

bool is_kind(std::string_view kind) { return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end(); }

std::string of(std::string_view kind, uint64_t seed, std::size_t n) {
  if (kind == "random") return random(seed, n);
  if (kind == "json") return json(seed, n);
  if (kind == "zeros") return std::string(n, '\0');
  throw std::invalid_argument("\"" + std::string(kind) + "\" is not a payload kind");
}

}  // namespace rpcbench::payload
