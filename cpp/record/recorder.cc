#include "record/recorder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rpcbench::record {
namespace {

// The largest product that can still be multiplied by any number of nanoseconds.
constexpr double kMaxProduct = 1e250;

// Limits the length of a failure's message, which comes from elsewhere.
constexpr std::size_t kMaxExampleBytes = 1000;

// Numbers the threads, so that those which run at once have shards of their own where there are enough: one that two
// threads share moves between their processors' caches with every call.
std::size_t thread_number() {
  static std::atomic<std::size_t> taken = 0;
  thread_local const std::size_t own = taken.fetch_add(1, std::memory_order_relaxed);
  return own;
}

}  // namespace

int64_t Counts::response_mean_ns() const {
  return ok == 0 || logs <= 0 ? 0 : std::llround(std::exp(logs / static_cast<double>(ok)));
}

Quantiles Quantiles::of(const Histogram& h) {
  return {h.count(), h.quantile(.5), h.quantile(.9), h.quantile(.99), h.quantile(1)};
}

void Shard::begin(bool open) {
  const std::lock_guard lock(mutex_);
  calls_.fill(0);
  lost_ = 0;
  logs_ = 0;
  product_ = 1;
  set_->begin(open);
}

void Shard::add(const load::Sample& sample) {
  const std::lock_guard lock(mutex_);
  ++calls_[0];
  product_ *= static_cast<double>(std::max<int64_t>(sample.done_ns - sample.due_ns, 1));
  if (product_ > kMaxProduct) {
    logs_ += std::log(product_);
    product_ = 1;
  }
  set_->add(sample);
}

void Shard::add_bound(const load::Sample& sample) {
  const std::lock_guard lock(mutex_);
  lost_ += 1 + sample.more;
  set_->add_bound(sample);
}

bool Shard::add_error(const load::Sample& sample) {
  const std::lock_guard lock(mutex_);
  set_->add_error(sample);
  return ++calls_[static_cast<std::size_t>(sample.failure->code)] == 1;
}

void Shard::add_to(Counts& counts) {
  const std::lock_guard lock(mutex_);
  counts.ok += calls_[0];
  counts.errors += lost_;
  for (std::size_t code = 1; code < calls_.size(); ++code) {
    counts.errors += calls_[code];
  }
  counts.logs += logs_ + std::log(product_);
}

int64_t Shard::calls(stack::Code code) {
  const std::lock_guard lock(mutex_);
  return calls_[static_cast<std::size_t>(code)];
}

std::unique_ptr<Set> Shard::swap(std::unique_ptr<Set> empty) {
  const std::lock_guard lock(mutex_);
  return std::exchange(set_, std::move(empty));
}

void Recorder::begin(bool open, std::size_t windows, std::vector<int64_t> edges) {
  for (Shard& shard : shards_) {
    shard.begin(open);
  }
  window_.begin(open);
  total_.begin(open);
  spare_->begin(open);
  series_.begin(windows, std::move(edges));
  const std::lock_guard lock(mutex_);
  examples_.fill("");
  unsent_.store(0);
  unfinished_.store(0);
  window_ns_ = 0;
  seen_ = {};
}

void Recorder::record(const load::Sample& sample) {
  Shard& shard = shards_[thread_number() % shards_.size()];
  if (sample.fate != load::Fate::kAnswered) {
    shard.add_bound(sample);
    (sample.fate == load::Fate::kUnsent ? unsent_ : unfinished_).fetch_add(1 + sample.more);
  } else if (sample.failure == nullptr) {
    shard.add(sample);
  } else if (shard.add_error(sample)) {
    const std::lock_guard lock(mutex_);
    std::string& example = examples_[static_cast<std::size_t>(sample.failure->code)];
    if (example.empty()) {
      example = sample.failure->text().substr(0, kMaxExampleBytes);
    }
  }
}

Counts Recorder::tick() {
  Counts now;
  for (Shard& shard : shards_) {
    shard.add_to(now);
  }
  const Counts since = {now.ok - seen_.ok, now.errors - seen_.errors, now.logs - seen_.logs};
  seen_ = now;
  return since;
}

const Histogram& Recorder::end_window(int64_t end_ns) {
  window_.reset();
  for (Shard& shard : shards_) {
    std::unique_ptr<Set> full = shard.swap(std::move(spare_));
    window_.merge(*full);
    full->reset();
    spare_ = std::move(full);
  }
  series_.add(window_ns_, end_ns, window_.response());
  total_.merge(window_);
  window_ns_ = end_ns;
  return window_.response();
}

Summary Recorder::summary() {
  Summary summary;
  add_outcomes(summary);
  summary.clamped = total_.clamped();
  summary.histograms = total_.named();
  summary.windows = &series_.kept();
  return summary;
}

void Recorder::add_outcomes(Summary& summary) {
  const std::lock_guard lock(mutex_);
  const auto add = [&summary](std::string_view code, int64_t calls, const std::string& example) {
    if (calls > 0) {
      summary.outcomes.push_back({std::string(code), calls, example});
    }
  };
  for (std::size_t code = 0; code < stack::kCodes; ++code) {
    int64_t calls = 0;
    for (Shard& shard : shards_) {
      calls += shard.calls(static_cast<stack::Code>(code));
    }
    if (code == 0) summary.ok = calls;
    add(stack::kCodeNames[code], calls, examples_[code]);
  }
  add("UNSENT", unsent_.load(), "");
  add("UNFINISHED", unfinished_.load(), "");
}

}  // namespace rpcbench::record
