// Names the first field of a command that this worker can't honour, in a FaultError.
#pragma once

#include <string>
#include <vector>

#include "control/fault.h"
#include "load/schedule.h"
#include "stack/stack.h"
#include "worker.pb.h"

namespace rpcbench::worker {

using Stacks = std::vector<std::unique_ptr<stack::Stack>>;

// What Serve and Connect have in common.
namespace check {

// Returns the stack of a name.
stack::Stack& stack_of(const std::string& command, const std::string& name, const Stacks& stacks);

void can(const std::string& command, const stack::Info& info, bool able);
void word(const std::string& field, const stack::Info& info, const std::string& word,
          const std::vector<std::string>& known);
void payload(const std::string& field, const std::string& kind);

// Refuses options that the stack does not have on the side that is asked for.
void options(const std::string& command, const stack::Info& info, const stack::OptionValues& given,
             bool stack::Option::*side);

void connect(const stack::Info& info, const v1::Connect& command);

// Reads the load of a Begin, for so many slots.
load::Schedule schedule(const v1::Begin& command, int slots);

}  // namespace check

// Where one stage follows another, as far as they are an interval apart: windows begin there.
std::vector<int64_t> edges_of(const std::vector<load::Stage>& stages);

// How long an Interval is unless told otherwise.
inline constexpr int64_t kIntervalNs = 100'000'000;

// The options of a command.
stack::OptionValues values_of(const google::protobuf::Map<std::string, std::string>& options);

}  // namespace rpcbench::worker
