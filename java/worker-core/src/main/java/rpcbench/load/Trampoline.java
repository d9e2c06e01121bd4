package rpcbench.load;

/**
 * Makes slots' next calls one after another, where a call that ends within its start would otherwise recurse. A slot that becomes
 * free on a thread that is already making calls is queued there, first in, first out, so that slots whose calls block take turns.
 */
final class Trampoline {
  private static final ThreadLocal<Trampoline> OF_THREAD = ThreadLocal.withInitial(Trampoline::new);

  private Slot head;
  private Slot tail;
  private boolean running;

  private Trampoline() {}

  /** Makes a slot's next call on this thread, now or after those that are queued. */
  static void run(Slot slot) {
    Trampoline trampoline = OF_THREAD.get();
    trampoline.add(slot);
    trampoline.run();
  }

  /** Makes the next call of every slot. */
  static void run(Slot[] slots) {
    Trampoline trampoline = OF_THREAD.get();
    for (Slot slot : slots) {
      trampoline.add(slot);
    }
    trampoline.run();
  }

  private void add(Slot slot) {
    if (tail == null) {
      head = slot;
    } else {
      tail.next = slot;
    }
    tail = slot;
  }

  private void run() {
    if (running) {
      return;
    }
    running = true;
    try {
      for (Slot slot = poll(); slot != null; slot = poll()) {
        slot.makeCall();
      }
    } finally {
      running = false;
    }
  }

  private Slot poll() {
    Slot slot = head;
    if (slot != null) {
      head = slot.next;
      slot.next = null;
      if (head == null) {
        tail = null;
      }
    }
    return slot;
  }
}
