package rpcbench.android.bench;

import java.io.Closeable;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TimeZone;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;
import rpcbench.worker.v1.Worker.Host;

/** Writes results in rpcbench's format, version 2: a header and a line for each trial, each synced to the disk. */
final class ResultsFile implements Closeable {
  private static final int VERSION = 2;
  private static final String SCENARIO = "android";
  private static final String QUESTION =
      "How does gRPC compare with JSON over HTTP on a phone, and protobuf-lite with JSON?";
  private static final int ID_DIGITS = 12;

  private final FileOutputStream out;

  /** Makes the file, with its header. */
  ResultsFile(File file, List<Planned> plan, Host host, Device device) throws IOException, JSONException {
    out = new FileOutputStream(file);
    Set<String> titles = new LinkedHashSet<>();
    JSONArray trials = new JSONArray();
    for (Planned trial : plan) {
      titles.add(trial.title());
      trials.put(trial.header());
    }
    JSONObject scenario = new JSONObject()
        .put("name", SCENARIO).put("question", QUESTION).put("trials", 1).put("cases", new JSONArray(titles));
    line(new JSONObject()
        .put("format", "rpcbench-results")
        .put("version", VERSION)
        .put("created", utc())
        .put("seed", Point.SEED)
        .put("binary", new JSONObject().put("version", "android").put("commit", "").put("go", ""))
        .put("hosts", new JSONArray().put(describe(host, device)))
        .put("scenarios", new JSONArray().put(scenario))
        .put("plan", trials));
  }

  private static JSONObject describe(Host host, Device device) throws JSONException {
    return new JSONObject()
        .put("name", device.name())
        .put("os", "android")
        .put("arch", host.getArch())
        .put("kernel", host.getKernel())
        .put("cpu", host.getCpu())
        .put("processors", Runtime.getRuntime().availableProcessors())
        .put("memory_bytes", host.getMemoryBytes());
  }

  /** A trial of the plan: its point, and the case that it is of. */
  record Planned(Point point, String title) {
    JSONObject header() throws JSONException {
      JSONObject spec = point.spec();
      return new JSONObject()
          .put("id", id(spec)).put("repetition", 1).put("spec", spec)
          .put("cases", new JSONArray().put(new JSONObject().put("scenario", SCENARIO).put("title", title)));
    }
  }

  /** Adds a trial with its client's evidence, or with why it has none. */
  void add(Planned trial, String started, JSONObject client, String failure, boolean interrupted)
      throws IOException, JSONException {
    JSONObject line = trial.header().put("started", started).put("status", failure == null ? "ok" : "failed");
    if (failure != null) {
      line.put("failure", failure).put("failure_code", client == null ? "run" : "no_call");
    }
    if (interrupted) {
      line.put("interrupted", true);
    }
    if (client != null) {
      line.put("clients", new JSONArray().put(client));
      if (!trial.point().target().isEmpty()) {
        line.put("wire_counted_at", "client");
      }
    }
    line(line);
  }

  private void line(JSONObject object) throws IOException {
    out.write((object + "\n").getBytes(StandardCharsets.UTF_8));
    out.getFD().sync();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  /** Now, as results files have it. */
  static String utc() {
    SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT);
    format.setTimeZone(TimeZone.getTimeZone("UTC"));
    return format.format(new Date());
  }

  private static String id(JSONObject spec) {
    try {
      byte[] sum = MessageDigest.getInstance("SHA-256").digest(spec.toString().getBytes(StandardCharsets.UTF_8));
      StringBuilder digits = new StringBuilder();
      for (byte b : sum) {
        digits.append(String.format(Locale.ROOT, "%02x", b));
      }
      return digits.substring(0, ID_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Android has it
    }
  }
}
