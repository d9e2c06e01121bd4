package rpcbench.worker;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import rpcbench.stack.CallException;

/** Makes the profiles and dumps that the driver asks for. For one thread. */
final class Evidence {
  private static final String THREADS = "threads.txt";

  private final Pieces pieces;
  private Profiler profiler; // null while no profile is recorded

  Evidence(Events events) {
    pieces = new Pieces(events);
  }

  /** Begins a profile, or ends it and sends it. */
  void profile(boolean end) throws FaultException {
    if (end && profiler == null) {
      throw new FaultException("profile.end", "there is no profile to end");
    }
    if (!end && profiler != null) {
      throw new FaultException("profile", "a profile is already being recorded");
    }
    try {
      if (!end) {
        profiler = Profiler.begin();
        return;
      }
      Profiler ending = profiler;
      profiler = null;
      ending.end(pieces);
    } catch (IOException | LinkageError e) {
      throw new FaultException("profile", CallException.reason(e));
    }
  }

  /** Sends a dump of all threads, and of the heap if asked. */
  void dump(boolean heap) throws FaultException {
    try {
      byte[] threads = ThreadDump.text().getBytes(StandardCharsets.UTF_8);
      pieces.send(THREADS, new ByteArrayInputStream(threads));
    } catch (IOException | LinkageError e) {
      throw new FaultException("dump", CallException.reason(e));
    }
    try {
      if (heap) {
        HeapDump.send(pieces);
      }
    } catch (IOException | LinkageError e) {
      throw new FaultException("dump.heap", CallException.reason(e));
    }
  }

  /** Discards a profile that was not ended. */
  void end() {
    if (profiler != null) {
      profiler.drop();
      profiler = null;
    }
  }
}
