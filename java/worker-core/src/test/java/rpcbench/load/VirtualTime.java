package rpcbench.load;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Time that passes only while everybody waits. Of the threads that belong to it, the one that makes it and those that
 * it starts, exactly one runs at a time, until it parks; so a test has one course of events, however often it runs.
 * When all are parked, the clock goes on to the first that wants to be woken.
 */
final class VirtualTime implements Time {
  private static final class Member {
    final Condition turn;
    boolean parked;
    boolean permit;
    long wakeAt;

    Member(Condition turn) {
      this.turn = turn;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Thread, Member> members = new LinkedHashMap<>();
  private final ArrayDeque<Member> runnable = new ArrayDeque<>();
  private Member running;
  private boolean dead;
  private long now = 1_000; // no origin is special
  private int parks;

  VirtualTime() {
    running = new Member(lock.newCondition());
    members.put(Thread.currentThread(), running);
  }

  @Override
  public long nowNs() {
    lock.lock();
    try {
      return now;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void waitNs(long ns) {
    parkNs(ns);
  }

  /** How often threads were parked so far. */
  int parks() {
    return parks;
  }

  /** Waits for the whole time, even if the thread is unparked. */
  void sleepNs(long ns) {
    long until = nowNs() + ns;
    for (long rest = ns; rest > 0; rest = until - nowNs()) {
      parkNs(rest);
    }
  }

  @Override
  public void parkNs(long ns) {
    lock.lock();
    try {
      Member me = members.get(Thread.currentThread());
      if (me.permit) {
        me.permit = false;
        return;
      }
      me.parked = true;
      parks++;
      me.wakeAt = ns >= Time.FOREVER_NS / 2 ? Long.MAX_VALUE : now + Math.max(ns, 0);
      runNext();
      await(me);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void unpark(Thread thread) {
    lock.lock();
    try {
      Member member = members.get(thread);
      if (member != null && member.parked) {
        ready(member);
      } else if (member != null) {
        member.permit = true;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Thread start(String name, Runnable work) {
    lock.lock();
    try {
      Member member = new Member(lock.newCondition());
      Thread thread = new Thread(() -> live(member, work), name);
      thread.setDaemon(true);
      members.put(thread, member);
      runnable.add(member);
      thread.start();
      return thread;
    } finally {
      lock.unlock();
    }
  }

  private void live(Member member, Runnable work) {
    lock.lock();
    try {
      await(member);
    } finally {
      lock.unlock();
    }
    try {
      work.run();
    } finally {
      lock.lock();
      try {
        members.remove(Thread.currentThread());
        runNext();
      } finally {
        lock.unlock();
      }
    }
  }

  private void ready(Member member) {
    member.parked = false;
    runnable.add(member);
  }

  private void runNext() {
    if (runnable.isEmpty()) {
      Member first = null;
      for (Member member : members.values()) {
        if (member.parked && (first == null || member.wakeAt < first.wakeAt)) {
          first = member;
        }
      }
      if (first == null || first.wakeAt == Long.MAX_VALUE) {
        dead = true;
        members.values().forEach(member -> member.turn.signal());
        return;
      }
      now = Math.max(now, first.wakeAt);
      ready(first);
    }
    running = runnable.poll();
    running.turn.signal();
  }

  private void await(Member me) {
    while (running != me && !dead) {
      me.turn.awaitUninterruptibly();
    }
    if (dead) {
      throw new IllegalStateException("everybody waits for ever");
    }
  }
}
