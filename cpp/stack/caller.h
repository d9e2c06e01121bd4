// How the load asks a stack for calls.
#pragma once

#include "stack/code.h"

namespace rpcbench::stack {

// Hears what becomes of a call.
class Listener {
 public:
  // The call is made only now. A Caller that hands its calls to another thread says so there, once, before it begins
  // with the call: the hand-over is not the stack's service.
  virtual void sent() {}

  // The call is over; failure is null where the answer is complete, and is not kept. The slot's next call may start on
  // this thread, before this returns, and so may other slots' calls: call it where the library may be called again, and
  // hold no lock that a call takes.
  virtual void done(const Failure* failure) = 0;

 protected:
  ~Listener() = default;
};

// Performs one slot's calls, one at a time. They follow one another, on any threads, each seeing what the one before
// wrote.
class Caller {
 public:
  virtual ~Caller() = default;

  // Starts one measured operation and returns without waiting for it. The listener's done is called exactly once, on
  // any thread, also before this returns. Only the time from here, or from Listener::sent, to there is measured.
  virtual void start(Listener& listener) = 0;

  // Ends the running call as soon as may be. The listener still hears. It may come from any thread, also when no call
  // runs; then it does nothing. The next call does not start before it returns.
  virtual void cancel() = 0;

  // Called once after every call, before the next is started, and not timed: checks the reply, and undoes what the next
  // call does anew. It returns null when the call was good or had failed already; a wrong reply is MISMATCH. What it
  // returns is good until the next call.
  virtual const Failure* after() = 0;
};

}  // namespace rpcbench::stack
