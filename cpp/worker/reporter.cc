#include "worker/reporter.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>

#include "load/clock.h"

namespace rpcbench::worker {
namespace {

constexpr int64_t kWindowNs = 1'000'000'000;

v1::Quantiles quantiles_of(const record::Histogram& histogram) {
  const record::Quantiles from = record::Quantiles::of(histogram);
  v1::Quantiles quantiles;
  quantiles.set_calls(from.calls);
  quantiles.set_p50_ns(from.p50_ns);
  quantiles.set_p90_ns(from.p90_ns);
  quantiles.set_p99_ns(from.p99_ns);
  quantiles.set_max_ns(from.max_ns);
  return quantiles;
}

}  // namespace

Reporter::Reporter(const load::SlotPool& pool, record::Recorder& recorder, control::EventWriter& events, Config config)
    : pool_(pool), recorder_(recorder), events_(events), config_(std::move(config)) {}

void Reporter::begin() {
  begun_ns_ = load::monotonic_ns();
  thread_ = std::thread([this] { report(); });
  pthread_setname_np(thread_.native_handle(), "rpcbench-report");
}

void Reporter::end() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  thread_.join();
  tick(true);
}

void Reporter::report() {
  int64_t due = config_.length_ns;
  while (wait_until(std::min(due, edge_ns()))) {
    if (edge_ns() <= now_ns()) {
      due = edge_ns();
      ++edge_;
      tick(true);
    } else if (edge_ns() - due >= config_.length_ns / 2) {  // otherwise the interval that ends at the edge includes it
      tick(false);
    }
    do {  // an overdue one is skipped, so the next interval is longer
      due += config_.length_ns;
    } while (due <= now_ns());
  }
}

// Returns false if the phase ends first.
bool Reporter::wait_until(int64_t ns) {
  std::unique_lock lock(mutex_);
  return !ended_.wait_for(lock, std::chrono::nanoseconds(ns - now_ns()), [this] { return over_; });
}

// Returns the next edge, or kForeverNs after the last.
int64_t Reporter::edge_ns() const { return edge_ < config_.edges.size() ? config_.edges[edge_] : load::kForeverNs; }

int64_t Reporter::now_ns() const { return load::monotonic_ns() - begun_ns_; }

// Sends the interval since the last tick, with quantiles if a second is complete or a window ends.
void Reporter::tick(bool ends) {
  const record::Counts counts = recorder_.tick();
  const int64_t now = now_ns();  // after the counts, so that everything counted was done by then
  v1::Event event;
  v1::Interval& interval = *event.mutable_interval();
  interval.set_start_ns(interval_ns_);
  interval.set_end_ns(now);
  interval.set_ok(counts.ok);
  interval.set_errors(counts.errors);
  interval.set_in_flight(pool_.in_flight());
  interval.set_response_mean_ns(counts.response_mean_ns());
  if (ends || now - window_ns_ >= kWindowNs - config_.length_ns / 2) {
    const record::Histogram& window = recorder_.end_window(now);
    *interval.mutable_response() = quantiles_of(window);
    if (config_.histograms) interval.set_response_histogram(window.encode());
    window_ns_ = now;
  }
  interval_ns_ = now;
  events_.write(event);
}

}  // namespace rpcbench::worker
