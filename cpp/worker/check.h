// Validates commands. Each check throws a FaultError that names the first field that this worker can't honor.
#pragma once

#include <string>
#include <vector>

#include "control/fault.h"
#include "load/schedule.h"
#include "stack/stack.h"
#include "worker.pb.h"

namespace rpcbench::worker {

using Stacks = std::vector<std::unique_ptr<stack::Stack>>;

// The checks that Serve and Connect share.
namespace check {

// Returns the stack with a name.
stack::Stack& stack_of(const std::string& command, const std::string& name, const Stacks& stacks);

void can(const std::string& command, const stack::Info& info, bool able);
void word(const std::string& field, const stack::Info& info, const std::string& word,
          const std::vector<std::string>& known);
void payload(const std::string& field, const std::string& kind);

// Refuses options that the stack does not have on that side, and values that they do not take.
void options(const std::string& command, const stack::Info& info, const stack::OptionValues& given,
             bool stack::Option::*side);

void connect(const stack::Info& info, const v1::Connect& command);

// Reads the load of a Begin for a number of slots.
load::Schedule schedule(const v1::Begin& command, int slots);

}  // namespace check

// Returns the ends of stages that are at least an interval apart. Windows begin there.
std::vector<int64_t> edges_of(const std::vector<load::Stage>& stages);

// The default length of an Interval.
inline constexpr int64_t kIntervalNs = 100'000'000;

// Returns a command's options.
stack::OptionValues values_of(const google::protobuf::Map<std::string, std::string>& options);

}  // namespace rpcbench::worker
