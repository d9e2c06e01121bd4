package rpcbench.android.bench;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONObject;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import rpcbench.android.stack.Stacks;
import rpcbench.stack.Kind;

/** A run of the app's own, with Android's classes. */
@RunWith(RobolectricTestRunner.class)
public class RunTest {
  private static final long MS = 1_000_000;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** A phone with a battery that tells. */
  private static final class Pocket implements Device {
    @Override
    public String name() {
      return "Acme One, Android 8.0";
    }

    @Override
    public double level() {
      return 0.75;
    }

    @Override
    public long microampHours() {
      return 2_000_000;
    }
  }

  /** Hears of a run, and may cancel it in the middle, or leave the app until the second trial has ended. */
  private static final class Ear implements Run.Listener {
    final List<String> ended = new ArrayList<>();
    Run cancels;
    Run leaves;
    Figures last;

    @Override
    public void begun(int i, Point point) {}

    @Override
    public void progress(boolean warming, double perSec) {
      if (cancels != null && !warming) {
        cancels.cancel();
      }
      if (leaves != null && !warming && ended.isEmpty()) {
        leaves.leave();
      }
    }

    @Override
    public void ended(Point point, Figures figures, String failure) {
      last = figures;
      if (leaves != null && ended.size() == 1) {
        leaves.comeBack();
        leaves = null;
      }
      ended.add(point.words() + (failure == null ? "" : ": " + failure));
    }
  }

  private List<JSONObject> lines(Run run, Ear ear) throws Exception {
    File file = new File(folder.getRoot(), "run.jsonl");
    run.into(file, ear);
    List<JSONObject> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file.toPath())) {
      lines.add(new JSONObject(line));
    }
    return lines;
  }

  private static Point codec(String kind, String codec) {
    // Long enough that a busy machine makes a call.
    return Point.codec(Stacks.CODEC, kind, "small", codec).lasting(20 * MS, 1000 * MS);
  }

  @Test
  public void resultsHaveWhatOthersHave() throws Exception {
    Run run = new Run(new Pocket());
    run.add(codec(Kind.ENCODE, "protobuf-bytes"), "Encoding");
    run.add(codec(Kind.DECODE, "json"), "Decoding");
    Ear ear = new Ear();
    List<JSONObject> lines = lines(run, ear);
    assertEquals(List.of("encode small, protobuf-bytes", "decode small, json"), ear.ended);
    JSONObject header = lines.get(0);
    assertEquals("rpcbench-results", header.getString("format"));
    assertEquals(2, header.getInt("version"));
    assertEquals("Acme One, Android 8.0", header.getJSONArray("hosts").getJSONObject(0).getString("name"));
    assertEquals(2, header.getJSONArray("plan").length());
    assertEquals("[\"Encoding\",\"Decoding\"]", header.getJSONArray("scenarios").getJSONObject(0).getString("cases"));
    JSONObject trial = lines.get(1);
    assertEquals(header.getJSONArray("plan").getJSONObject(0).getString("id"), trial.getString("id"));
    assertEquals(trial.optString("failure"), "ok", trial.getString("status"));
    JSONObject client = trial.getJSONArray("clients").getJSONObject(0);
    JSONObject outcome = client.getJSONArray("outcomes").getJSONObject(0);
    assertEquals("OK", outcome.getString("code"));
    assertEquals(outcome.getLong("calls"), client.getLong("arrivals"));
    assertTrue(client.getString("library").contains("protobuf-javalite"));
    assertEquals(0.75, client.getJSONObject("begin").getDouble("battery_level"), 0);
    assertEquals(2_000_000, client.getJSONObject("end").getLong("battery_uah"));
    assertTrue(client.getJSONObject("histograms").getString("response").startsWith("HISTF"));
    assertTrue(client.getJSONObject("codec").getLong("repeat") >= 1);
    assertEquals(0, ear.last.failed());
    assertFalse(ear.last.median().isEmpty());
  }

  @Test
  public void aServerThatIsNotThereFailsItsTrialAndTheNextIsMeasured() throws Exception {
    Run run = new Run(new Pocket());
    run.add(Point.call(Stacks.GRPC, "grpc", "127.0.0.1:1", Kind.UNARY, 10, 10, 0).lasting(10 * MS, 20 * MS), "Echo");
    run.add(codec(Kind.ENCODE, "protobuf-bytes"), "Encoding");
    Ear ear = new Ear();
    List<JSONObject> lines = lines(run, ear);
    assertEquals("failed", lines.get(1).getString("status"));
    assertTrue(lines.get(1).getString("failure"), lines.get(1).getString("failure").contains("UNAVAILABLE"));
    assertEquals(lines.get(2).optString("failure"), "ok", lines.get(2).getString("status"));
    assertEquals(2, ear.ended.size());
  }

  @Test
  public void aRunThatIsCancelledKeepsWhatItHas() throws Exception {
    Run run = new Run(new Pocket());
    run.add(codec(Kind.ENCODE, "protobuf-bytes").lasting(10 * MS, 600_000 * MS), "Encoding");
    run.add(codec(Kind.ENCODE, "json"), "Encoding");
    Ear ear = new Ear();
    ear.cancels = run;
    List<JSONObject> lines = lines(run, ear);
    assertEquals(2, lines.size());
    assertTrue(lines.get(1).getBoolean("interrupted"));
    assertNotNull(lines.get(1).getJSONArray("clients"));
  }

  @Test
  public void aTrialInTheBackgroundFails() throws Exception {
    Run run = new Run(new Pocket());
    for (String codec : List.of("protobuf-bytes", "protobuf-stream", "json")) {
      run.add(codec(Kind.ENCODE, codec), "Encoding");
    }
    Ear ear = new Ear();
    ear.leaves = run;
    List<JSONObject> lines = lines(run, ear);
    String why = "the app was in the background while calls were made, and Android slows such apps down";
    for (int i : new int[] {1, 2}) {
      assertEquals("failed", lines.get(i).getString("status"));
      assertEquals(why, lines.get(i).getString("failure"));
      assertEquals("run", lines.get(i).getString("failure_code"));
    }
    assertEquals(lines.get(3).optString("failure"), "ok", lines.get(3).getString("status"));
    assertEquals(List.of("encode small, protobuf-bytes: " + why, "encode small, protobuf-stream: " + why, "encode small, json"),
        ear.ended);
  }

  @Test
  public void addressesAreChecked() {
    assertNull(Cases.Servers.wrong(""));
    assertNull(Cases.Servers.wrong("192.168.1.5:8080"));
    assertNull(Cases.Servers.wrong("[::1]:8080"));
    for (String wrong : new String[] {"192.168.1.5", ":80", "a b:80", "http://a:80", "a:0", "a:65536", "a:x"}) {
      assertNotNull(wrong, Cases.Servers.wrong(wrong));
    }
  }

  @Test
  public void casesHavePointsOfTheServersThatAreNamed() {
    Cases.Servers none = new Cases.Servers("", "");
    assertEquals(18, Cases.ENCODE.points(none).size());
    assertEquals(0, Cases.ECHO.points(none).size());
    assertEquals(4, Cases.ECHO.points(new Cases.Servers("a:1", "")).size());
    assertEquals(8, Cases.ECHO.points(new Cases.Servers("a:1", "b:2")).size());
    assertEquals("unary 1 kB, http-json-okhttp, 20 calls/s", Cases.OPEN.points(new Cases.Servers("", "b:2")).get(0).words());
  }

  @Test
  public void figuresAreReadable() {
    assertEquals("78.6 ms", Figures.time(78_600_000));
    assertEquals("9.99 µs", Figures.time(9_990));
    assertEquals("850 ns", Figures.time(850));
    assertEquals("12,345", Figures.rate(12_345));
    assertEquals("19.9", Figures.rate(19.9));
  }
}
