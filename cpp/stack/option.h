// A setting of a stack, which declares the values that it takes and reads them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rpcbench::stack {

// Options that are given, by name.
using OptionValues = std::map<std::string, std::string>;

// The whole numbers from min to max, in decimal, without a plus or leading zeros.
struct Numbers {
  int64_t min = 0;
  int64_t max = 0;
};

// An option's value is text: one of the words, or a number. Without both it is any text.
struct Option {
  std::string name;  // ends with its unit
  std::string help;  // one sentence, with the unit, and with the default if default_value can't say it
  bool client = false;
  bool server = false;
  std::vector<std::string> words = {};
  std::optional<Numbers> numbers = {};
  std::string default_value = {};  // giving it is the same as giving none; empty if there is no such value

  // Returns why the option can't have the value, in a clause; empty if it can.
  std::string refuse(const std::string& value) const;

  // Returns the value among those that are given, or the default. The worker has checked them.
  const std::string& value(const OptionValues& given) const;

  // Reports whether an option with the words false and true is on.
  bool on(const OptionValues& given) const { return value(given) == "true"; }

  // Returns the number; missing if none is given and there is no default.
  int number(const OptionValues& given, int missing) const;
};

// Returns an option that is true or false, false by default.
Option flag(std::string name, std::string help, bool client, bool server);

}  // namespace rpcbench::stack
