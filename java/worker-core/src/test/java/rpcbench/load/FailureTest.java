package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static rpcbench.load.Scene.SECOND;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;

class FailureTest {
  /** Fails, or throws, as its fields say. */
  private record Failing(String inCall, String inAfter) implements Caller {
    @Override
    public void start(Done done) {
      if (inCall.equals("throws")) {
        throw new IllegalArgumentException("oh");
      }
      done.done(failure(inCall));
    }

    @Override
    public void cancel() {}

    @Override
    public void late() {}

    @Override
    public CallException after() {
      if (inAfter.equals("throws")) {
        throw new IllegalStateException("no");
      }
      return failure(inAfter);
    }

    private static CallException failure(String code) {
      return code.equals("good") ? null : new CallException(Code.valueOf(code), "failed");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "good, good, null",
    "UNAVAILABLE, MISMATCH, UNAVAILABLE: failed",
    "good, MISMATCH, MISMATCH: failed",
    "throws, good, INTERNAL: the stack's start threw java.lang.IllegalArgumentException: oh",
    "good, throws, INTERNAL: the stack's after threw java.lang.IllegalStateException: no",
  })
  void failuresOfCallAndAfterAreSamples(String call, String after, String want) {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(List.of(new Failing(call, after)), SECOND);
    List<Ledger.Sample> samples = Scene.run(pool, Schedules.counting(2, Schedule.closed()), SECOND).ledger().samples;
    assertEquals(2, samples.size());
    for (Ledger.Sample sample : samples) {
      CallException failure = sample.failure();
      assertEquals(want, failure == null ? "null" : failure.code() + ": " + failure.getMessage());
    }
  }
}
