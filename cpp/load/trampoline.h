// Makes slots' calls one after another.
#pragma once

namespace rpcbench::load {

class Slot;

// Makes a slot's next call on this thread. If this thread is already making calls, so that it would recurse, the call
// waits for those before it: first in, first out, so that slots take turns.
void bounce(Slot& slot);

}  // namespace rpcbench::load
