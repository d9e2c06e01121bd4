// The kinds of calls, by their names in worker.v1.
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

// Reports whether the calls of a kind open connections themselves.
inline bool opens(std::string_view kind) { return kind == kConnect || kind == kFirstCall; }

// Reports whether the calls of a kind have a number of messages.
inline bool has_messages(std::string_view kind) {
  return kind == kStream || kind == kBurst || kind == kUpload || kind == kDownload || kind == kBothWays;
}

// Reports whether the calls of a kind can run in the background.
inline bool can_be_background(std::string_view kind) {
  return kind == kUnary || kind == kStream || kind == kUpload || kind == kDownload;
}

// Reports whether the calls of a kind use open streams, which slots may share.
inline bool shares_streams(std::string_view kind) { return kind == kPingPong || kind == kBurst; }

// Reports whether the messages of a kind may be batches.
inline bool has_batches(std::string_view kind) {
  return kind == kUnary || kind == kPingPong || kind == kBurst || kind == kUpload;
}

}  // namespace rpcbench::stack::kind
