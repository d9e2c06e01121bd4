// A worker of rpcbench that hosts the stacks in C++: worker.v1 on standard input and output.

#include <unistd.h>

#include <exception>
#include <iostream>

#include "control/pipe.h"
#include "grpc/stacks.h"
#include "worker/worker.h"

int main() {
  rpcbench::worker::ignore_signals();
  try {
    const int events = rpcbench::control::take_standard_output();
    const auto stacks = rpcbench::grpcpp::stacks();
    return rpcbench::worker::converse(stacks, STDIN_FILENO, events);
  } catch (const std::exception& e) {
    std::cerr << "the worker: " << e.what() << '\n';
    return 1;
  }
}
