#include "host/stacks.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "host/host.h"

namespace rpcbench::host {
namespace {

constexpr int kMaxFrames = 48;
constexpr Thinning kThinning(60'000);  // all samples of ten minutes on one processor
constexpr int kTickUs = 10'000;

struct Frames {
  std::atomic<pid_t> thread;  // 0 until the sample is complete
  int count;
  std::array<void*, kMaxFrames> addresses;
};

std::mutex one_at_a_time;

// For a dump: the thread that is asked, and its answer.
std::atomic<pid_t> asked;
Frames answer;

// For a profile.
std::vector<Frames> samples;
std::atomic<int64_t> taken;
std::atomic<bool> sampling;

pid_t thread_id() { return static_cast<pid_t>(syscall(SYS_gettid)); }

void fill(Frames& frames) {
  frames.count = backtrace(frames.addresses.data(), kMaxFrames);
  frames.thread.store(thread_id(), std::memory_order_release);
}

void on_ask(int) {
  const int error = errno;
  pid_t self = thread_id();
  if (asked.compare_exchange_strong(self, 0)) fill(answer);
  errno = error;
}

void on_tick(int) {
  const int error = errno;
  if (sampling.load()) {
    if (const auto place = kThinning.place(taken.fetch_add(1))) {
      Frames& frames = samples[static_cast<std::size_t>(*place)];
      frames.thread.store(0);
      fill(frames);
    }
  }
  errno = error;
}

void handle(int signal, void (*handler)(int)) {
  void* warm[1];
  backtrace(warm, 1);  // loads the unwinder, which a handler must not do
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

std::string name_of(void* address) {
  Dl_info info = {};
  if (dladdr(address, &info) == 0) return "?";
  if (info.dli_sname == nullptr) {
    const std::string file = info.dli_fname == nullptr ? "?" : info.dli_fname;
    return file.substr(file.rfind('/') + 1);
  }
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status), &std::free);
  return status == 0 ? plain.get() : info.dli_sname;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string thread_name(pid_t thread) {
  return first_line(read("/proc/self/task/" + std::to_string(thread) + "/comm"));
}

std::vector<pid_t> threads() {
  std::vector<pid_t> all;
  std::error_code error;  // from a thread that ends meanwhile
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
    all.push_back(std::atoi(entry.path().filename().c_str()));
  }
  return all;
}

// Returns the functions on a thread's stack, one per line; empty if it does not answer within 200 ms.
std::string functions_of(pid_t thread) {
  answer.thread.store(0);
  asked.store(thread);
  syscall(SYS_tgkill, getpid(), thread, SIGUSR2);
  for (int look = 0; look < 200 && answer.thread.load(std::memory_order_acquire) != thread; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  pid_t unanswered = thread;
  if (asked.compare_exchange_strong(unanswered, 0) || answer.thread.load(std::memory_order_acquire) != thread)
    return "";
  std::string lines;
  for (int i = 2; i < answer.count; ++i) {  // skips the handler and its caller
    lines += "\tat " + name_of(answer.addresses[static_cast<std::size_t>(i)]) + '\n';
  }
  return lines;
}

void set_timer(int microseconds) {
  const itimerval tick = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_PROF, &tick, nullptr);
}

}  // namespace

std::string thread_dump() {
  const std::lock_guard lock(one_at_a_time);
  handle(SIGUSR2, on_ask);
  std::string text;
  for (const pid_t thread : threads()) {
    const std::string status = read("/proc/self/task/" + std::to_string(thread) + "/status");
    text += "thread " + std::to_string(thread) + " \"" + thread_name(thread) + "\" " + value_in(status, "State") +
            '\n' + functions_of(thread) + '\n';
  }
  return text;
}

int64_t Thinning::step(int64_t count) const {
  int64_t each = 1;
  while (count > places_ * each) each *= 2;
  return each;
}

std::optional<int64_t> Thinning::place(int64_t sample) const {
  int64_t now = step(sample + 1);
  if (sample % now != 0) return std::nullopt;
  while (sample >= places_) {  // it takes the place of the first that is no longer kept and has not left it
    const int64_t since = (sample - places_ * now / 2) / now;
    sample = (2 * since + 1) * now / 2;
    now = step(sample + 1);
  }
  return sample;
}

Profile::Profile() {
  const std::lock_guard lock(one_at_a_time);
  samples = std::vector<Frames>(static_cast<std::size_t>(kThinning.places()));
  taken.store(0);
  handle(SIGPROF, on_tick);
  sampling.store(true);
  set_timer(kTickUs);
}

Profile::~Profile() {
  if (running_) end();
}

std::string Profile::end() {
  const std::lock_guard lock(one_at_a_time);
  running_ = false;
  set_timer(0);
  sampling.store(false);
  std::map<std::string, int64_t> counts;
  const int64_t all = taken.load();
  const int64_t step = kThinning.step(all);
  for (int64_t sample = 0; sample < all; sample += step) {
    const Frames& frames = samples[static_cast<std::size_t>(*kThinning.place(sample))];
    const pid_t thread = frames.thread.load(std::memory_order_acquire);
    if (thread == 0) continue;
    std::string line = thread_name(thread);
    if (line.empty()) line = "ended";
    for (int k = frames.count - 1; k >= 2; --k) {
      line += ';' + name_of(frames.addresses[static_cast<std::size_t>(k)]);
    }
    counts[line] += step;
  }
  std::string text;
  for (const auto& [line, times] : counts) {
    text += line + ' ' + std::to_string(times) + '\n';
  }
  return text.empty() ? "nothing_ran 1\n" : text;
}

}  // namespace rpcbench::host
