#include "worker/greeting.h"

#include <gnu/libc-version.h>

#include <chrono>
#include <string>

#include "control/text.h"
#include "host/host.h"
#include "load/clock.h"
#include "socket/sockets.h"

namespace rpcbench::worker {
namespace {

constexpr uint32_t kProtocol = 1;

std::string runtime(const host::Machine& machine) {
#ifdef __clang__
  const std::string compiler = std::string("clang ") + __clang_version__;
#else
  const std::string compiler = std::string("gcc ") + __VERSION__;
#endif
  return "c++ " + compiler + ' ' + machine.os + '/' + machine.arch + ", glibc " + gnu_get_libc_version();
}

v1::Host host_of(const host::Machine& machine) {
  v1::Host host;
  host.set_name(control::clean(machine.name));
  host.set_os(machine.os);
  host.set_arch(machine.arch);
  host.set_kernel(control::clean(machine.kernel));
  host.set_cpu(control::clean(machine.cpu));
  host.set_memory_bytes(machine.memory_bytes);
  host.set_governor(control::clean(machine.governor));
  host.set_open_files(machine.open_files);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  host.set_unix_ns(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  return host;
}

v1::StackInfo described(const stack::Info& info) {
  v1::StackInfo described;
  described.set_name(info.name);
  described.set_protocol(info.protocol);
  described.set_library(info.library);
  described.set_serves(info.serves);
  described.set_calls(info.calls);
  described.mutable_kinds()->Assign(info.kinds.begin(), info.kinds.end());
  described.mutable_networks()->Assign(info.networks.begin(), info.networks.end());
  described.mutable_securities()->Assign(info.securities.begin(), info.securities.end());
  described.mutable_compressions()->Assign(info.compressions.begin(), info.compressions.end());
  described.set_multiplexed(info.multiplexed);
  for (const stack::Option& option : info.options) {
    v1::OptionInfo& added = *described.add_options();
    added.set_name(option.name);
    added.set_help(option.help);
    added.set_client(option.client);
    added.set_server(option.server);
    added.mutable_words()->Assign(option.words.begin(), option.words.end());
    added.set_default_value(option.default_value);
    if (option.numbers) {
      added.mutable_numbers()->set_min(option.numbers->min);
      added.mutable_numbers()->set_max(option.numbers->max);
    }
  }
  return described;
}

}  // namespace

v1::Hello greeting(const Stacks& stacks) {
  const host::Machine machine = host::Machine::describe();
  v1::Hello hello;
  hello.set_protocol(kProtocol);
  hello.set_runtime(runtime(machine));
  hello.set_processors(static_cast<uint32_t>(host::processors()));
  hello.set_stages(true);
  hello.set_stop_drain(true);
  hello.set_idle_streams(true);
  hello.set_reconnects(true);
  *hello.mutable_host() = host_of(machine);
  for (const auto& stack : stacks) {
    *hello.add_stacks() = described(stack->info());
  }
  return hello;
}

v1::Snapshot snapshot(const v1::Mark& mark, int64_t started_ns, Client* client) {
  const host::Usage usage = host::Usage::take();
  const socket::Counts sockets = socket::counts();
  v1::Snapshot snapshot;
  snapshot.set_time_ns(load::monotonic_ns() - started_ns);
  snapshot.set_cpu_user_ns(usage.cpu_user_ns);
  snapshot.set_cpu_system_ns(usage.cpu_system_ns);
  snapshot.set_peak_memory_bytes(usage.peak_memory_bytes);
  snapshot.set_sockets(sockets.opened);
  snapshot.set_bytes_out(sockets.bytes_out);
  snapshot.set_bytes_in(sockets.bytes_in);
  snapshot.set_heap_bytes(usage.heap_bytes);
  snapshot.set_heap_committed_bytes(usage.heap_committed_bytes);
  snapshot.set_voluntary_switches(usage.voluntary_switches);
  snapshot.set_involuntary_switches(usage.involuntary_switches);
  if (!mark.brief()) {
    if (const auto segments = socket::segments()) {
      snapshot.set_segments_out(segments->out);
      snapshot.set_retransmits(segments->retransmits);
      snapshot.set_segments_in(segments->in);
    }
  }
  if (usage.throttled_ns) snapshot.set_throttled_ns(*usage.throttled_ns);
  if (client != nullptr) snapshot.set_pacer_cpu_ns(client->pool().pacer_cpu_ns());
  return snapshot;
}

}  // namespace rpcbench::worker
