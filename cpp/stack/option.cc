#include "stack/option.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace rpcbench::stack {
namespace {

// Reports whether text is one of the numbers, as they are written.
bool is_one_of(const Numbers& numbers, const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && numbers.min <= value && value <= numbers.max &&
         std::to_string(value) == text;
}

}  // namespace

std::string Option::refuse(const std::string& value) const {
  const bool any = words.empty() && !numbers;
  if (any || std::find(words.begin(), words.end(), value) != words.end() || (numbers && is_one_of(*numbers, value))) {
    return "";
  }
  std::vector<std::string> values = words;
  if (numbers) {
    values.push_back("a whole number from " + std::to_string(numbers->min) + " to " + std::to_string(numbers->max));
  }
  std::string due = values.front();
  for (size_t i = 1; i < values.size(); ++i) due += (i + 1 == values.size() ? " or " : ", ") + values[i];
  return "is \"" + value + "\"; it must be " + due;
}

const std::string& Option::value(const OptionValues& given) const {
  const auto found = given.find(name);
  return found == given.end() ? default_value : found->second;
}

int Option::number(const OptionValues& given, int missing) const {
  const std::string& text = value(given);
  std::from_chars(text.data(), text.data() + text.size(), missing);
  return missing;
}

Option flag(std::string name, std::string help, bool client, bool server) {
  return {std::move(name), std::move(help), client, server, {"false", "true"}, {}, "false"};
}

}  // namespace rpcbench::stack
