#include "worker/worker.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <iostream>
#include <thread>

#include "control/pipe.h"
#include "worker/conversation.h"
#include "worker/greeting.h"
#include "worker/inbox.h"

namespace rpcbench::worker {
namespace {

// The time to shut down after the end of the input. The driver kills the worker later.
constexpr auto kEndTimeout = std::chrono::seconds(4);

// Exits the process even if a library still blocks.
void end_in_time(bool broken) {
  std::thread([broken] {
    std::this_thread::sleep_for(kEndTimeout);
    _exit(broken ? 1 : 0);
  }).detach();
}

}  // namespace

int converse(const Stacks& stacks, int in, int out) {
  control::EventWriter events(out);
  v1::Event hello;
  *hello.mutable_hello() = greeting(stacks);
  events.write(hello);
  std::atomic<bool> ended = false;
  Inbox inbox(in, [&ended](bool broken) {
    ended.store(true);
    end_in_time(broken);
  });
  {
    Conversation conversation(stacks, events, ended);
    v1::Command command;
    while (inbox.next(command)) {
      conversation.obey(command);
    }
    if (!inbox.broken().empty()) std::cerr << "the worker: " << inbox.broken() << '\n';
  }
  events.close();
  return inbox.broken().empty() ? 0 : 1;
}

void ignore_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);  // a driver that is gone is seen by the end of the input
}

}  // namespace rpcbench::worker
