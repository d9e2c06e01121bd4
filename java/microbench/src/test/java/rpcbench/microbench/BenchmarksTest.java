package rpcbench.microbench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.epoll.Epoll;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks with JMH, in this process: one operation each, whatever their mode, or one slice of a loop. Their figures
 * are meaningless but present.
 */
final class BenchmarksTest {
  @ParameterizedTest
  @ValueSource(
      classes = {DecompressorRegistryBenchmark.class, SerializingExecutorBenchmark.class, TransportBenchmark.class})
  void whatHasPercentilesIsSampled(Class<?> benchmarks) {
    assertArrayEquals(new Mode[] {Mode.SampleTime}, benchmarks.getAnnotation(BenchmarkMode.class).value());
  }

  @Test
  void acceptEncodingIsTakenByNumberOfExtraEncodings() throws RunnerException {
    assertEquals(
        Set.of("marshalOld 0", "marshalOld 1", "marshalOld 2",
            "marshalUncached 0", "marshalUncached 1", "marshalUncached 2"),
        names(run(DecompressorRegistryBenchmark.class), "extraEncodings"));
  }

  @Test
  void statusIsCodedBothWays() throws RunnerException {
    assertEquals(
        Set.of("messageEncodePlain", "messageEncodeEscape", "messageDecodePlain", "messageDecodeEscape",
            "codeEncode", "codeDecode", "put", "get"),
        names(run(StatusBenchmark.class)));
  }

  @Test
  void metadataIsTakenByNumberOfHeaders() throws RunnerException {
    assertEquals(
        Set.of("build 5", "build 20", "serialize 5", "serialize 20",
            "toHttp2Headers 5", "toHttp2Headers 20", "read 5", "read 20"),
        names(run(MetadataBenchmark.class), "headers"));
  }

  @Test
  void whatACallCarriesIsTakenByItsNumber() throws RunnerException {
    assertEquals(
        Set.of("withOption 1", "withOption 8", "withOptionDuplicates 1", "withOptionDuplicates 8",
            "getOption 1", "getOption 8"),
        names(run(CallOptionsBenchmark.class), "customOptionsCount"));
    assertEquals(
        Set.of("chain 1", "chain 10", "lookup 1", "lookup 10"),
        names(run(AttributesBenchmark.class), "iterations"));
    assertEquals(
        Set.of("read 0", "read 100", "write 0", "write 100", "attachDetach 0", "attachDetach 100"),
        names(run(ContextBenchmark.class), "others"));
    assertEquals(
        Set.of("newClientContext 0", "newClientContext 2", "newServerContext 0", "newServerContext 2"),
        names(run(StatsTraceContextBenchmark.class), "tracers"));
  }

  @Test
  void methodsAreFound() throws RunnerException {
    assertEquals(Set.of("lookupMethod", "lookupUnknown"), names(run(HandlerRegistryBenchmark.class)));
    assertEquals(Set.of("old", "transportSpecific"), names(run(MethodDescriptorBenchmark.class)));
  }

  @Test
  void whatAProcessHasIsListedAndRunOneAfterAnother() throws RunnerException {
    assertEquals(
        Set.of("server 10", "server 10000", "clientSocket 10", "clientSocket 10000",
            "serverSocket 10", "serverSocket 10000"),
        names(run(ChannelzBenchmark.class), "preexisting"));
    assertEquals(Set.of("oneRunnableLatency", "manyRunnables"), names(run(SerializingExecutorBenchmark.class)));
  }

  @Test
  void messagesAreMarshalledBothWays() throws RunnerException {
    assertEquals(
        Set.of("build REQUEST", "marshal REQUEST", "parse REQUEST",
            "build RESPONSE", "marshal RESPONSE", "parse RESPONSE"),
        names(run(MarshallingBenchmark.class, Map.of("payloadBytes", "1024")), "message"));
  }

  @Test
  void everyTransportCarriesUnaryCallsDirectAndNot() throws RunnerException {
    String[] here = Arrays.stream(Transport.values())
        .filter(transport -> transport != Transport.NETTY_EPOLL || Epoll.isAvailable())
        .map(Enum::name)
        .toArray(String[]::new);

    Collection<RunResult> results = run(options(TransportBenchmark.class).param("transport", here));

    assertEquals(
        Arrays.stream(here).flatMap(t -> Stream.of(t + " true", t + " false")).collect(Collectors.toSet()),
        results.stream().map(r -> r.getParams().getParam("transport") + " " + r.getParams().getParam("direct"))
            .collect(Collectors.toSet()));
  }

  @Test
  void unaryCallsAreCountedByChannelsAndStreams() throws RunnerException {
    assertCounted("callsPerSecond", run(UnaryCallQpsBenchmark.class, Map.of("channels", "2", "streams", "10")));
  }

  @Test
  void pingPongsAreCountedByChannelsAndStreams() throws RunnerException {
    assertCounted(
        "pingPongsPerSecond",
        run(StreamingPingPongsPerSecondBenchmark.class, Map.of("channels", "2", "streams", "10")));
  }

  @Test
  void flowControlledMessagesAreCountedByChannelsAndStreams() throws RunnerException {
    assertCounted(
        "messagesPerSecond",
        run(FlowControlledMessagesPerSecondBenchmark.class, Map.of("channels", "2", "streams", "10")));
  }

  @Test
  void bandwidthIsMegabitsOfMessages() throws RunnerException {
    Collection<RunResult> results = run(
        StreamingResponseBandwidthBenchmark.class,
        Map.of("channels", "1", "streams", "1", "windowBytes", "1048575"));

    assertCounted("megabitsPerSecond", results);
  }

  @ParameterizedTest
  @ValueSource(strings = {"INPROCESS", "NETTY_LOCAL", "OKHTTP"})
  void loopsRunOverOtherTransports(String transport) throws RunnerException {
    assertCounted(
        "pingPongsPerSecond",
        run(StreamingPingPongsPerSecondBenchmark.class,
            Map.of("transport", transport, "direct", "false", "channels", "1", "streams", "1")));
  }

  @Test
  void directLoopInProcessIsRefusedAsItWouldNeverReturn() {
    RunnerException refused = assertThrows(
        RunnerException.class,
        () -> run(UnaryCallQpsBenchmark.class,
            Map.of("transport", "INPROCESS", "direct", "true", "channels", "1", "streams", "10")));

    assertTrue(causes(refused).contains("add -p direct=false"), causes(refused));
  }

  @Test
  void secondThreadOfLoopIsRefusedAsItWouldCountTwice() {
    RunnerException refused = assertThrows(
        RunnerException.class,
        () -> run(options(UnaryCallQpsBenchmark.class).param("channels", "1").param("streams", "10").threads(2)));

    assertTrue(causes(refused).contains("-t 2"), causes(refused));
  }

  private static Collection<RunResult> run(Class<?> benchmarks) throws RunnerException {
    return run(benchmarks, Map.of());
  }

  private static Collection<RunResult> run(Class<?> benchmarks, Map<String, String> params) throws RunnerException {
    ChainedOptionsBuilder options = options(benchmarks);
    params.forEach(options::param);
    return run(options);
  }

  /** Runs and checks that every score is a number, which may be 0 where a clock is coarse. */
  private static Collection<RunResult> run(ChainedOptionsBuilder options) throws RunnerException {
    Collection<RunResult> results = new Runner(options.build()).run();
    for (RunResult result : results) {
      double score = result.getPrimaryResult().getScore();
      assertTrue(score >= 0, result.getParams().id() + ": " + score);
    }
    return results;
  }

  private static ChainedOptionsBuilder options(Class<?> benchmarks) {
    ChainedOptionsBuilder options = new OptionsBuilder()
        .include("\\." + benchmarks.getSimpleName() + "\\.")
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.milliseconds(20)) // of a loop, which ends with the slice that is being counted
        .timeout(TimeValue.hours(1))
        .shouldDoGC(false)
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
    return LoopBenchmark.class.isAssignableFrom(benchmarks) ? options : options.mode(Mode.SingleShotTime);
  }

  /** Returns the names of methods, each with the values of these parameters. */
  private static Set<String> names(Collection<RunResult> results, String... params) {
    return results.stream()
        .map(result -> Stream.concat(
                Stream.of(result.getPrimaryResult().getLabel()),
                Arrays.stream(params).map(result.getParams()::getParam))
            .collect(Collectors.joining(" ")))
        .collect(Collectors.toSet());
  }

  private static void assertCounted(String counter, Collection<RunResult> results) {
    assertEquals(1, results.size());
    Map<String, Result> counters = results.iterator().next().getSecondaryResults();
    assertEquals(Set.of(counter), counters.keySet());
    double rate = counters.get(counter).getScore();
    assertTrue(rate > 0, counter + ": " + rate);
  }

  private static String causes(Throwable thrown) {
    StringBuilder messages = new StringBuilder();
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      messages.append(t.getMessage()).append('\n');
      for (Throwable suppressed : t.getSuppressed()) {
        messages.append(causes(suppressed));
      }
    }
    return messages.toString();
  }
}
