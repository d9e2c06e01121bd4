package rpcbench.worker;

import java.io.IOException;
import java.io.InputStream;
import java.text.ParseException;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import rpcbench.stack.CallException;

/** Makes a recording of Java Flight Recorder. Its own class, because Android's Java has no recorder. */
final class Profiler {
  private static final String FILE = "recording.jfr";

  private final Recording recording;

  private Profiler(Recording recording) {
    this.recording = recording;
  }

  /** Begins, with the settings "profile" of the JDK. */
  static Profiler begin() throws IOException {
    try {
      Recording recording = new Recording(Configuration.getConfiguration("profile"));
      recording.setName("rpcbench");
      recording.start();
      return new Profiler(recording);
    } catch (ParseException | IllegalStateException | SecurityException e) {
      throw new IOException("Flight Recorder can't be started: " + CallException.reason(e), e);
    }
  }

  /** Ends, and sends what was recorded. */
  void end(Pieces pieces) throws IOException {
    recording.stop();
    try (InputStream content = recording.getStream(null, null)) {
      if (content != null) { // null is a recording without anything in it
        pieces.send(FILE, content);
      }
    } finally {
      recording.close();
    }
  }

  /** Ends, and forgets what was recorded. */
  void drop() {
    recording.close();
  }
}
