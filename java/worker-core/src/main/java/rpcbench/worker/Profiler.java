package rpcbench.worker;

import java.io.IOException;
import java.io.InputStream;
import java.text.ParseException;
import java.util.List;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import rpcbench.host.JvmOnly;
import rpcbench.stack.CallException;

/** Makes a recording of Java Flight Recorder. Its own class, because Android's Java has no recorder. */
@JvmOnly
final class Profiler {
  private static final String FILE = "recording.jfr";

  /** Events with the environment, options and commands of this process and others, which may hold secrets. */
  static final List<String> TELLTALES = List.of(
      "jdk.InitialEnvironmentVariable", "jdk.InitialSystemProperty", "jdk.JVMInformation", "jdk.StringFlag",
      "jdk.StringFlagChanged", "jdk.SystemProcess");

  private final Recording recording;

  private Profiler(Recording recording) {
    this.recording = recording;
  }

  /** Begins, with the settings "profile" of the JDK, but without the events that may hold secrets. */
  static Profiler begin() throws IOException {
    try {
      Recording recording = new Recording(Configuration.getConfiguration("profile"));
      recording.setName("rpcbench");
      TELLTALES.forEach(recording::disable);
      recording.start();
      return new Profiler(recording);
    } catch (ParseException | IllegalStateException | SecurityException e) {
      throw new IOException("Flight Recorder can't be started: " + CallException.reason(e), e);
    }
  }

  /** Ends the recording and sends it. */
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

  /** Ends the recording and discards it. */
  void drop() {
    recording.close();
  }
}
