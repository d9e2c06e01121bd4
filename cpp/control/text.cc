#include "control/text.h"

#include <cstddef>

namespace rpcbench::control {
namespace {

// Returns the length of the character that begins here, or 0 if it is not valid UTF-8 (RFC 3629).
std::size_t length_of(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&byte](std::size_t i, unsigned min = 0x80, unsigned max = 0xBF) {
    return byte(i) >= min && byte(i) <= max;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    return follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    return follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string clean(std::string_view text) {
  std::string cleaned;
  while (!text.empty()) {
    const std::size_t length = length_of(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0 || (length == 1 && (first < ' ' || first == 0x7F))) {
      cleaned += length == 0 ? '?' : ' ';
      text.remove_prefix(1);
      continue;
    }
    cleaned += text.substr(0, length);
    text.remove_prefix(length);
  }
  return cleaned;
}

}  // namespace rpcbench::control
