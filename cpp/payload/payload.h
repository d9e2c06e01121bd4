// Payloads, which are the same in every language.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rpcbench::payload {

inline constexpr std::array<std::string_view, 3> kKinds = {"random", "json", "zeros"};

bool is_kind(std::string_view kind);

// Returns n bytes that depend on kind and seed alone. The function is described at Go's stack.Payload, and
// internal/stack/testdata/payload.json pins examples. It throws std::invalid_argument where kind is none of kKinds.
std::string of(std::string_view kind, uint64_t seed, std::size_t n);

}  // namespace rpcbench::payload
