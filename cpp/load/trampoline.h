// Makes slots' next calls one after another.
#pragma once

namespace rpcbench::load {

class Slot;

// Makes a slot's next call on this thread, now or, where a call that ends within its start would recurse, after those
// that the thread is making: first in, first out, so that slots take turns.
void bounce(Slot& slot);

}  // namespace rpcbench::load
