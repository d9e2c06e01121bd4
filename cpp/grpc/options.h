// The options of a stack, read.
#pragma once

#include <string>

#include "stack/stack.h"

namespace rpcbench::grpcpp {

// Returns whether an option is true; throws stack::Error for what is neither true nor false. Without it it is false.
bool flag(const stack::OptionValues& values, const std::string& name);

// Returns an option's number; throws stack::Error for what is no number from least to most.
int number(const stack::OptionValues& values, const std::string& name, int least, int most, int otherwise);

}  // namespace rpcbench::grpcpp
