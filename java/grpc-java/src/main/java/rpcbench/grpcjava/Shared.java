package rpcbench.grpcjava;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Threads that several connections use: made for the first that asks, ended a second after the last has gone, so that a
 * connection opened after another was closed finds them still there. Safe for concurrent use.
 */
final class Shared<K, V> {
  private static final long LINGER_MS = 1000;

  private final Map<K, Entry> entries = new HashMap<>();
  private final Function<K, V> make;
  private final Consumer<V> end;

  Shared(Function<K, V> make, Consumer<V> end) {
    this.make = make;
    this.end = end;
  }

  /** Lends the value of a key; give it back by closing the lease, once. */
  synchronized Lease<V> take(K key) {
    Entry entry = entries.computeIfAbsent(key, k -> new Entry(make.apply(k)));
    entry.users++;
    return new Lease<>(entry.value, () -> release(key, entry));
  }

  private synchronized void release(K key, Entry entry) {
    if (--entry.users == 0) {
      CompletableFuture.delayedExecutor(LINGER_MS, TimeUnit.MILLISECONDS).execute(() -> endIfUnused(key, entry));
    }
  }

  private synchronized void endIfUnused(K key, Entry entry) {
    if (entry.users == 0 && entries.remove(key, entry)) {
      end.accept(entry.value);
    }
  }

  /** Something lent. */
  record Lease<V>(V value, Runnable back) implements AutoCloseable {
    @Override
    public void close() {
      back.run();
    }
  }

  private final class Entry {
    final V value;
    int users;

    Entry(V value) {
      this.value = value;
    }
  }
}
