// How the load makes a stack's calls.
#pragma once

#include "stack/code.h"

namespace rpcbench::stack {

// Receives the events of a call.
class Listener {
 public:
  // Reports that the call starts only now. A Caller that hands its calls to another thread calls it once, there, before
  // it starts the call: the handover is not part of the service time.
  virtual void sent() {}

  // Reports the end of the call. failure is null if the reply is complete; it is not kept. Calls of this and other
  // slots may start on this thread before it returns. So call it where the library may be reentered, and without a lock
  // that a call takes.
  virtual void done(const Failure* failure) = 0;

 protected:
  ~Listener() = default;
};

// Makes one slot's calls, one at a time. Calls may run on different threads, but each sees the writes of the previous
// one.
class Caller {
 public:
  virtual ~Caller() = default;

  // Starts a call and returns without waiting for it. Listener::done is called exactly once, on any thread, possibly
  // before this returns. The measured time runs from here, or from Listener::sent, until done.
  virtual void start(Listener& listener) = 0;

  // Ends the running call as soon as possible; done is still called. Callable on any thread; does nothing if no call is
  // running. The next call does not start before it returns.
  virtual void cancel() = 0;

  // Checks the reply and prepares for the next call. Called once after every call, before the next starts, and not
  // timed. Returns null if the call succeeded or had already failed, and MISMATCH for a wrong reply. The result is
  // valid until the next call.
  virtual const Failure* after() = 0;
};

}  // namespace rpcbench::stack
