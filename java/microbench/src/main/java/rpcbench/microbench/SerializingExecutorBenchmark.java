package rpcbench.microbench;

import io.grpc.internal.SerializingExecutor;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The callbacks of a call run one after another, whatever executor a user passes, because each call has such an executor in front
 * of it. Sampled, because every operation includes a thread switch.
 */
@BenchmarkMode(Mode.SampleTime)
public class SerializingExecutorBenchmark extends CostBenchmark {
  /** Of {@code manyRunnables}. */
  static final int MANY = 500;

  private final Semaphore arrived = new Semaphore(0);
  private final Runnable arrive = arrived::release;
  private int ran; // written by the executor's thread; read once that has arrived
  private final Runnable count = () -> ran++;
  private ExecutorService thread;
  private Executor executor;

  @Setup(Level.Trial)
  public void start() {
    thread = Executors.newSingleThreadExecutor();
    executor = new SerializingExecutor(thread);
  }

  @TearDown(Level.Trial)
  public void stop() {
    thread.shutdownNow();
  }

  /** Waits until a callback has run on another thread. */
  @Benchmark
  public void oneRunnableLatency() throws InterruptedException {
    executor.execute(arrive);
    arrived.acquire();
  }

  /** Runs so many callbacks that queueing them dominates the thread switch. */
  @Benchmark
  public int manyRunnables() throws InterruptedException {
    ran = 0;
    for (int i = 0; i < MANY; i++) {
      executor.execute(count);
    }
    executor.execute(arrive);
    arrived.acquire();
    return ran;
  }
}
