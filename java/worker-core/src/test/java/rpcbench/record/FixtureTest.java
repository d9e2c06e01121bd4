package rpcbench.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fixtures are in internal/worker/record, where Go reads them in the same way and java_test.go describes them. */
class FixtureTest {
  private static final Pattern FIXTURE = Pattern.compile("\\{[^{}]*}");
  private static final Pattern FIELD = Pattern.compile("\"(\\w+)\": *(?:\"([^\"]*)\"|(\\d+))");

  private record Fixture(String name, byte[] v2, Map<String, Long> figures) {}

  private static List<Fixture> fixtures(String file) throws IOException {
    String text = Files.readString(Path.of("../../internal/worker/record/testdata", file));
    List<Fixture> all = new ArrayList<>();
    for (Matcher m = FIXTURE.matcher(text); m.find(); ) {
      all.add(fixture(m.group()));
    }
    assertEquals(7, all.size(), "histograms in " + file);
    return all;
  }

  private static Fixture fixture(String text) {
    Map<String, String> words = new TreeMap<>();
    Map<String, Long> figures = new TreeMap<>();
    for (Matcher m = FIELD.matcher(text); m.find(); ) {
      if (m.group(2) != null) {
        words.put(m.group(1), m.group(2));
      } else {
        figures.put(m.group(1), Long.parseLong(m.group(3)));
      }
    }
    assertEquals(8, figures.size(), "figures of " + words.get("name"));
    return new Fixture(words.get("name"), Base64.getDecoder().decode(words.get("v2_compressed")), figures);
  }

  private static Map<String, Long> figuresOf(Histogram h) {
    Quantiles quantiles = Quantiles.of(h);
    Map<String, Long> figures = new TreeMap<>();
    figures.put("calls", quantiles.calls());
    figures.put("min_ns", h.getTotalCount() == 0 ? 0 : h.getMinValue());
    figures.put("max_ns", h.getMaxValue());
    figures.put("mean_ns", Math.round(h.getMean()));
    figures.put("p50_ns", quantiles.p50Ns());
    figures.put("p90_ns", quantiles.p90Ns());
    figures.put("p99_ns", quantiles.p99Ns());
    figures.put("p999_ns", Histograms.quantile(h, 0.999));
    return figures;
  }

  @ParameterizedTest
  @ValueSource(strings = {"java.json", "go.json"})
  void goAndJavaReadTheSameFigures(String file) throws Exception {
    for (Fixture f : fixtures(file)) {
      assertEquals(f.figures(), figuresOf(Decoded.of(f.v2())), f.name());
    }
  }

  /** Go's encoding of the same samples equals that of encode, except for the compression, which depends on zlib. */
  @ParameterizedTest
  @ValueSource(strings = {"java.json", "go.json"})
  void goAndJavaWriteTheSameBytes(String file) throws Exception {
    for (Fixture f : fixtures(file)) {
      byte[] written = Histograms.encode(recordAgain(f.v2()));
      assertArrayEquals(Arrays.copyOf(f.v2(), 4), Arrays.copyOf(written, 4), "cookie of " + f.name());
      assertArrayEquals(inflate(f.v2()), inflate(written), f.name());
    }
  }

  private static Histogram recordAgain(byte[] v2) throws DataFormatException {
    Histogram h = Histograms.empty();
    for (HistogramIterationValue bar : Decoded.of(v2).recordedValues()) {
      h.recordValueWithCount(bar.getValueIteratedTo(), bar.getCountAddedInThisIterationStep());
    }
    return h;
  }

  /** Returns the payload after the cookie and the length, 4 bytes each. */
  private static byte[] inflate(byte[] v2) throws DataFormatException {
    Inflater inflater = new Inflater();
    inflater.setInput(v2, 8, v2.length - 8);
    byte[] payload = new byte[1 << 20];
    int length = inflater.inflate(payload);
    inflater.end();
    return Arrays.copyOf(payload, length);
  }
}
