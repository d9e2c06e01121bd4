// Test vectors shared by all languages.
#pragma once

#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace rpcbench::test {

// Returns the text of a file below internal/.
inline std::string fixture(const std::string& path) {
  const std::ifstream file(std::string(RPCBENCH_FIXTURES) + '/' + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Returns the innermost objects of a JSON text.
inline std::vector<std::string> objects(const std::string& json) {
  std::vector<std::string> all;
  for (std::size_t open = json.find('{'); open != std::string::npos; open = json.find('{', open + 1)) {
    const std::size_t close = json.find('}', open);
    all.push_back(json.substr(open, close - open));
  }
  return all;
}

// Returns the value of a key in an object, without quotation marks; empty if it is missing.
inline std::string value(const std::string& object, const std::string& key) {
  std::smatch found;
  return std::regex_search(object, found, std::regex('"' + key + "\": *\"?([^\",}\n]*)")) ? found[1].str() : "";
}

// Encodes bytes as padded base64.
inline std::string base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int have = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    have += 6;
    if (have >= 8) {
      have -= 8;
      bytes += static_cast<char>(bits >> have & 0xff);
    }
  }
  return bytes;
}

}  // namespace rpcbench::test
