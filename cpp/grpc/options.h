// Parses the options of a stack.
#pragma once

#include <string>

#include "stack/stack.h"

namespace rpcbench::grpcpp {

// Returns a Boolean option, or false if it is not set; throws stack::Error if it is neither true nor false.
bool flag(const stack::OptionValues& values, const std::string& name);

// Returns a number, or default_value if it is not set; throws stack::Error if it is not a number from min to max.
int number(const stack::OptionValues& values, const std::string& name, int min, int max, int default_value);

}  // namespace rpcbench::grpcpp
