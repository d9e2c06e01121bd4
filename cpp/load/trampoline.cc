#include "load/trampoline.h"

#include <utility>

#include "load/slot.h"

namespace rpcbench::load {
namespace {

class Trampoline {
 public:
  void run(Slot& slot) {
    (tail_ == nullptr ? head_ : tail_->next) = &slot;
    tail_ = &slot;
    if (running_) return;
    running_ = true;
    while (head_ != nullptr) {
      Slot* first = head_;
      head_ = std::exchange(first->next, nullptr);
      if (head_ == nullptr) tail_ = nullptr;
      first->make_call();
    }
    running_ = false;
  }

 private:
  Slot* head_ = nullptr;
  Slot* tail_ = nullptr;
  bool running_ = false;
};

thread_local Trampoline of_thread;

}  // namespace

void bounce(Slot& slot) { of_thread.run(slot); }

}  // namespace rpcbench::load
