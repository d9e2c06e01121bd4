#include "permission/permission.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

namespace rpcbench::permission {
namespace {

constexpr std::string_view kEverybody = "...";
constexpr std::string_view kOnly = ":$";
constexpr std::string_view kScheme = "rpcbench:";

bool is_only(std::string_view pattern) {
  return pattern.size() >= kOnly.size() && pattern.substr(pattern.size() - kOnly.size()) == kOnly;
}

std::string_view without_only(std::string_view pattern) {
  return is_only(pattern) ? pattern.substr(0, pattern.size() - kOnly.size()) : pattern;
}

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern == kEverybody) return true;
  if (is_only(pattern)) return name == without_only(pattern);
  return name.substr(0, pattern.size()) == pattern && (name.size() == pattern.size() || name[pattern.size()] == ':');
}

bool matches_any(const std::vector<std::string>& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(), [name](const auto& pattern) { return matches(pattern, name); });
}

// Characters of other systems' patterns and lists: "root:*" would match no name, so in not_in it would exclude nobody.
bool is_glob(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isspace(byte) || std::iscntrl(byte) ||
         std::string_view("/\\*?[]{}(),;|\"'`").find(c) != std::string_view::npos;
}

bool is_word(std::string_view word) {
  return !word.empty() && word != "$" && word != kEverybody && std::none_of(word.begin(), word.end(), is_glob);
}

bool is_pattern(std::string_view pattern) {
  if (pattern == kEverybody) return true;
  std::string_view rest = without_only(pattern);
  while (true) {
    const std::size_t colon = rest.find(':');
    if (!is_word(rest.substr(0, colon))) return false;
    if (colon == std::string_view::npos) return true;
    rest.remove_prefix(colon + 1);
  }
}

void check(const std::vector<std::string>& patterns) {
  for (const auto& pattern : patterns) {
    if (!is_pattern(pattern)) {
      throw std::invalid_argument('"' + pattern + "\" is not a pattern, such as root:alice");
    }
  }
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Decodes the part after the scheme; returns false if it is not a name.
bool decode(std::string_view text, std::string* name) {
  if (text.empty() || text.front() == '/' || text.find_first_of("?#") != std::string_view::npos) return false;
  name->clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      name->push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size()) return false;
    const int high = digit_of(text[i + 1]);
    const int low = digit_of(text[i + 2]);
    if (high < 0 || low < 0) return false;
    name->push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return true;
}

bool has_scheme(const std::string& uri) {
  return uri.size() >= kScheme.size() && std::equal(kScheme.begin(), kScheme.end(), uri.begin(), [](char want, char c) {
           return want == std::tolower(static_cast<unsigned char>(c));
         });
}

}  // namespace

Permissions::Permissions(std::vector<std::string> in, std::vector<std::string> not_in)
    : in_(std::move(in)), not_in_(std::move(not_in)) {
  check(in_);
  check(not_in_);
}

bool Permissions::allows(const std::string& name) const {
  return matches_any(in_, name) && !matches_any(not_in_, name);
}

bool name_of(const std::vector<std::string>& uris, std::string* name) {
  bool found = false;
  for (const auto& uri : uris) {
    if (!has_scheme(uri)) continue;
    if (found || !decode(std::string_view(uri).substr(kScheme.size()), name)) return false;
    found = true;
  }
  return found;
}

}  // namespace rpcbench::permission
