#include "worker/conclusion.h"

#include <chrono>
#include <string>
#include <thread>

#include "control/fault.h"
#include "control/text.h"
#include "load/clock.h"
#include "socket/sockets.h"

namespace rpcbench::worker {
namespace {

constexpr int64_t kClosingNs = 500'000'000;
constexpr auto kPollInterval = std::chrono::milliseconds(1);

// Returns what the first failed call said, in a clause; empty if all were OK.
std::string first_failure(const record::Summary& summary) {
  for (const record::Outcome& outcome : summary.outcomes) {
    if (!outcome.example.empty()) return "; the first call that failed said: " + control::clean(outcome.example);
  }
  return "";
}

// Waits for sockets that are being closed, which don't count. Where no call was OK there is no result to refuse: a library
// that connects again and again to a server which ends its connections has old ones open, and the calls say why.
void check_sockets(const Client& client, const record::Summary& summary) {
  if (summary.ok == 0) return;
  const int64_t until = load::monotonic_ns() + kClosingNs;
  while (socket::counts().open > client.sockets() && load::monotonic_ns() < until) {
    std::this_thread::sleep_for(kPollInterval);
  }
  const int64_t open = socket::counts().open;
  control::refuse(open > client.sockets(), "connect.connections",
                  client.info().name + " has " + std::to_string(open) + " open sockets, expected " +
                      std::to_string(client.sockets()) + first_failure(summary));
}

// Sets what ok successful calls carried.
template <typename Counts>
void add_carried(Counts& counts, const stack::Call& call, int64_t ok) {
  const int64_t request = static_cast<int64_t>(call.request->size());
  counts.set_messages_out(ok * call.messages_out());
  counts.set_messages_in(ok * call.messages_in());
  counts.set_payload_bytes_out(ok * call.messages_out() * call.payloads() * request);
  counts.set_payload_bytes_in(ok * call.messages_in() * call.payloads() * call.response_bytes);
}

// Adds the histograms in the order of their names, and the windows if there are several.
void add_histograms(v1::Done& done, const record::Summary& summary) {
  for (const auto& [name, histogram] : summary.histograms) {
    v1::Histogram& added = *done.add_histograms();
    added.set_name(std::string(name));
    added.set_v2_compressed(histogram->encode());
  }
  if (summary.windows->size() < 2) return;  // a single window repeats the response
  for (const record::Window& window : *summary.windows) {
    v1::Window& added = *done.add_windows();
    added.set_start_ns(window.start_ns);
    added.set_end_ns(window.end_ns);
    added.set_response(window.response->encode());
  }
}

}  // namespace

v1::Done conclude(Client& client, const v1::Begin& command, const load::Tally& tally, const record::Summary& summary) {
  check_sockets(client, summary);
  v1::Done done;
  done.set_phase(command.phase());
  done.set_elapsed_ns(tally.elapsed_ns);
  done.set_window_ns(tally.window_ns);
  done.set_arrivals(tally.arrivals);
  done.set_stopped_ns(tally.stopped_ns);
  done.set_clamped(summary.clamped);
  for (const record::Outcome& outcome : summary.outcomes) {
    v1::Outcome& added = *done.add_outcomes();
    added.set_code(outcome.code);
    added.set_calls(outcome.calls);
    added.set_example(control::clean(outcome.example));
  }
  add_carried(done, client.call(), summary.ok);
  if (tally.late > 0) {
    done.mutable_tail()->set_ok(tally.late);
    add_carried(*done.mutable_tail(), client.call(), tally.late);
  }
  if (FirstCaller* first = client.first()) {
    if (const auto parts = first->take()) *done.mutable_first() = *parts;
  }
  if (Background* background = client.background()) *done.mutable_background() = background->counted();
  add_histograms(done, summary);
  return done;
}

}  // namespace rpcbench::worker
