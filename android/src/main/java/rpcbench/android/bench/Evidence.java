package rpcbench.android.bench;

import android.util.Base64;
import com.google.protobuf.ByteString;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;
import rpcbench.worker.v1.Worker.Codec;
import rpcbench.worker.v1.Worker.Connected;
import rpcbench.worker.v1.Worker.Done;
import rpcbench.worker.v1.Worker.Hello;
import rpcbench.worker.v1.Worker.Histogram;
import rpcbench.worker.v1.Worker.Interval;
import rpcbench.worker.v1.Worker.Outcome;
import rpcbench.worker.v1.Worker.Quantiles;
import rpcbench.worker.v1.Worker.Snapshot;
import rpcbench.worker.v1.Worker.Tail;

/** What a worker told, as a client's evidence in a results file. What it did not tell is absent. */
final class Evidence {
  private Evidence() {}

  /** All of a trial that came to its end. */
  static JSONObject of(
      Hello hello, String stack, Connected connected, Snapshot begin, Snapshot end, Done warmup, Done done, List<Interval> intervals)
      throws JSONException {
    JSONObject client = new JSONObject()
        .put("runtime", hello.getRuntime())
        .put("library", library(hello, stack))
        .put("processors", hello.getProcessors())
        .put("begin", snapshot(begin))
        .put("end", snapshot(end));
    counts(client, done);
    if (connected.hasCodec()) {
      client.put("codec", codec(connected.getCodec()));
    }
    JSONArray seen = new JSONArray();
    for (Interval interval : intervals) {
      seen.put(interval(interval));
    }
    client.put("intervals", seen);
    return client.put("warmup", new JSONObject().put("elapsed_ns", warmup.getElapsedNs()));
  }

  private static String library(Hello hello, String stack) {
    return hello.getStacksList().stream().filter(s -> s.getName().equals(stack)).findFirst().get().getLibrary();
  }

  private static void counts(JSONObject client, Done done) throws JSONException {
    client.put("elapsed_ns", done.getElapsedNs()).put("window_ns", done.getWindowNs());
    putUnless0(client, "stopped_ns", done.getStoppedNs());
    if (done.hasTail()) {
      client.put("tail", tail(done.getTail()));
    }
    JSONArray outcomes = new JSONArray();
    for (Outcome outcome : done.getOutcomesList()) {
      JSONObject one = new JSONObject().put("code", outcome.getCode()).put("calls", outcome.getCalls());
      outcomes.put(outcome.getExample().isEmpty() ? one : one.put("example", outcome.getExample()));
    }
    client.put("arrivals", done.getArrivals()).put("outcomes", outcomes);
    client.put("messages_out", done.getMessagesOut()).put("messages_in", done.getMessagesIn());
    client.put("payload_bytes_out", done.getPayloadBytesOut()).put("payload_bytes_in", done.getPayloadBytesIn());
    putUnless0(client, "clamped", done.getClamped());
    JSONObject histograms = new JSONObject();
    for (Histogram histogram : done.getHistogramsList()) {
      histograms.put(histogram.getName(), base64(histogram.getV2Compressed()));
    }
    client.put("histograms", histograms);
  }

  private static JSONObject tail(Tail tail) throws JSONException {
    return new JSONObject()
        .put("ok", tail.getOk())
        .put("messages_out", tail.getMessagesOut())
        .put("messages_in", tail.getMessagesIn())
        .put("payload_bytes_out", tail.getPayloadBytesOut())
        .put("payload_bytes_in", tail.getPayloadBytesIn());
  }

  private static JSONObject codec(Codec codec) throws JSONException {
    return new JSONObject()
        .put("repeat", codec.getRepeat())
        .put("encoded_bytes", codec.getEncodedBytes())
        .put("gzipped_bytes", codec.getGzippedBytes())
        .put("plain_bytes", codec.getPlainBytes());
  }

  private static JSONObject snapshot(Snapshot s) throws JSONException {
    JSONObject made = new JSONObject()
        .put("time_ns", s.getTimeNs())
        .put("cpu_user_ns", s.getCpuUserNs())
        .put("cpu_system_ns", s.getCpuSystemNs());
    if (s.getCpuUserNs() == 0 && s.getCpuSystemNs() == 0) {
      made.put("cpu_unknown", true);
    }
    made.put("peak_memory_bytes", s.getPeakMemoryBytes()).put("sockets", s.getSockets());
    made.put("bytes_out", s.getBytesOut()).put("bytes_in", s.getBytesIn());
    putUnless0(made, "heap_bytes", s.getHeapBytes());
    putUnless0(made, "heap_committed_bytes", s.getHeapCommittedBytes());
    if (s.hasVoluntarySwitches()) {
      made.put("voluntary_switches", s.getVoluntarySwitches()).put("involuntary_switches", s.getInvoluntarySwitches());
    }
    if (s.hasBatteryLevel()) {
      made.put("battery_level", s.getBatteryLevel());
    }
    if (s.hasBatteryUah()) {
      made.put("battery_uah", s.getBatteryUah());
    }
    return made;
  }

  private static JSONObject interval(Interval i) throws JSONException {
    JSONObject made =
        new JSONObject().put("start_ns", i.getStartNs()).put("end_ns", i.getEndNs()).put("ok", i.getOk());
    putUnless0(made, "errors", i.getErrors());
    made.put("in_flight", i.getInFlight());
    putUnless0(made, "response_mean_ns", i.getResponseMeanNs());
    if (i.hasResponse()) {
      Quantiles q = i.getResponse();
      made.put("response", new JSONObject()
          .put("calls", q.getCalls())
          .put("p50_ns", q.getP50Ns())
          .put("p90_ns", q.getP90Ns())
          .put("p99_ns", q.getP99Ns())
          .put("max_ns", q.getMaxNs()));
    }
    return made;
  }

  private static void putUnless0(JSONObject object, String key, long value) throws JSONException {
    if (value != 0) {
      object.put(key, value);
    }
  }

  private static String base64(ByteString bytes) {
    return Base64.encodeToString(bytes.toByteArray(), Base64.NO_WRAP);
  }
}
