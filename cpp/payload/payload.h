// Payloads, identical in every language.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rpcbench::payload {

inline constexpr std::array<std::string_view, 3> kKinds = {"random", "json", "zeros"};

bool is_kind(std::string_view kind);

// Returns n bytes that depend only on kind and seed. Go's stack.Payload documents the function, and
// internal/stack/testdata/payload.json has examples. Throws std::invalid_argument if kind is not one of kKinds.
std::string of(std::string_view kind, uint64_t seed, std::size_t n);

}  // namespace rpcbench::payload
