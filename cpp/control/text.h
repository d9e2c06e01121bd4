// Text of others.
#pragma once

#include <string>
#include <string_view>

namespace rpcbench::control {

// Returns a text without bytes that are no UTF-8, which no message of worker.v1 can hold, and without control
// characters.
std::string clean(std::string_view text);

}  // namespace rpcbench::control
