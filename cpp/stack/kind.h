// Call kinds, by their names in worker.v1.
#pragma once

#include <string_view>

namespace rpcbench::stack::kind {

inline constexpr std::string_view kConnect = "connect";
inline constexpr std::string_view kFirstCall = "first_call";
inline constexpr std::string_view kUnary = "unary";
inline constexpr std::string_view kStream = "stream";
inline constexpr std::string_view kPingPong = "ping_pong";
inline constexpr std::string_view kBurst = "burst";
inline constexpr std::string_view kUpload = "upload";
inline constexpr std::string_view kDownload = "download";
inline constexpr std::string_view kBothWays = "both_ways";

// Whether a kind's calls open connections themselves.
inline bool opens(std::string_view kind) { return kind == kConnect || kind == kFirstCall; }

// Whether a kind's calls are of a number of messages.
inline bool has_messages(std::string_view kind) {
  return kind == kStream || kind == kBurst || kind == kUpload || kind == kDownload || kind == kBothWays;
}

// Whether a kind's calls can be a background.
inline bool can_be_background(std::string_view kind) {
  return kind == kUnary || kind == kStream || kind == kUpload || kind == kDownload;
}

// Whether a kind's calls are made on open streams, which slots may share.
inline bool shares_streams(std::string_view kind) { return kind == kPingPong || kind == kBurst; }

// Whether a kind's messages may be batches.
inline bool has_batches(std::string_view kind) {
  return kind == kUnary || kind == kPingPong || kind == kBurst || kind == kUpload;
}

}  // namespace rpcbench::stack::kind
