#include "grpc/options.h"

#include <charconv>

namespace rpcbench::grpcpp {

bool flag(const stack::OptionValues& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end()) return false;
  if (found->second != "true" && found->second != "false") {
    throw stack::Error({stack::Code::kInvalidArgument,
                        "the option " + name + " is \"" + found->second + "\", and must be true or false"});
  }
  return found->second == "true";
}

int number(const stack::OptionValues& values, const std::string& name, int min, int max, int default_value) {
  const auto found = values.find(name);
  if (found == values.end()) return default_value;
  const std::string& text = found->second;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < min || value > max) {
    throw stack::Error({stack::Code::kInvalidArgument, "the option " + name + " is \"" + text + "\", and must be " +
                                                           std::to_string(min) + " to " + std::to_string(max)});
  }
  return value;
}

}  // namespace rpcbench::grpcpp
