// Text from untrusted sources.
#pragma once

#include <string>
#include <string_view>

namespace rpcbench::control {

// Returns the text without control characters and without bytes that are not valid UTF-8, which worker.v1 messages
// can't hold.
std::string clean(std::string_view text);

}  // namespace rpcbench::control
