#include "worker/worker.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace rpcbench::worker {
namespace {

// A killall, or the stop of a systemd unit, reaches workers too.
TEST(Worker, LeavesItsEndToTheDriver) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    EXPECT_EXIT(
        {
          std::signal(signal, SIG_DFL);
          ignore_signals();
          std::raise(signal);
          std::_Exit(7);
        },
        testing::ExitedWithCode(7), "")
        << "signal " << signal;
  }
}

}  // namespace
}  // namespace rpcbench::worker
