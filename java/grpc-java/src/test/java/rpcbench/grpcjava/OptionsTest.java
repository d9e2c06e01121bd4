package rpcbench.grpcjava;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rpcbench.grpcjava.Calls.SLOTS;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;

/** Options take effect, and invalid values are refused in one sentence. */
class OptionsTest {
  private static final Map<String, List<String>> GOOD = Map.ofEntries(
      Map.entry("transport", List.of("nio", "epoll")),
      Map.entry("direct_executor", List.of("true", "false")),
      Map.entry("executor_threads", List.of("2")),
      Map.entry("flow_control_window_bytes", List.of("70000", "3000000")),
      Map.entry("event_loop_threads", List.of("1")),
      Map.entry("event_loop_group_per_channel", List.of("true", "false")),
      Map.entry("keepalive_time_ms", List.of("10000")),
      Map.entry("codec", List.of("proto", "bytes")),
      Map.entry("retry", List.of("true", "false")),
      Map.entry("prefetch_messages", List.of("1", "2", "5", "64")),
      Map.entry("send_deadline", List.of("true", "false")));

  static java.util.stream.Stream<Stack> clients() {
    return EveryPointTest.clients();
  }

  private static List<Info.Option> clientOptions(Stack client) {
    return client.info().options().stream().filter(Info.Option::client).toList();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void everyOptionWorks(Stack client) throws Exception {
    for (Info.Option option : clientOptions(client)) {
      int bytes = option.name().equals("flow_control_window_bytes") ? 100_000 : 1000; // beyond a window, where it matters
      for (String value : GOOD.get(option.name())) {
        if (value.equals("epoll") && !Transport.EPOLL.available()) {
          continue;
        }
        Rig rig = new Rig(client);
        rig.clientOptions = Map.of(option.name(), value);
        rig.serverOptions = rig.clientOptions;
        try (rig; Conn conn = rig.serve().dial()) {
          for (Map.Entry<String, Call> each : Calls.all(bytes, 2 * bytes, SLOTS).entrySet()) {
            List<Code> codes = Calls.call(Calls.callers(conn, each.getValue(), SLOTS));
            Calls.assertAll(Code.OK, codes, option.name() + " " + value + ", " + each.getKey());
          }
        }
      }
    }
  }

  @Test
  void callbacksRunWhereTheOptionsSay() throws Exception {
    Map<Map<String, String>, String> expected = Map.of(
        Map.of(), "grpc-default-executor-",
        Map.of("direct_executor", "true"), "grpc-loop-",
        Map.of("executor_threads", "2"), "grpc-executor-");
    for (Map.Entry<Map<String, String>, String> each : expected.entrySet()) {
      Rig rig = new Rig(new NettyStack());
      rig.clientOptions = each.getKey();
      try (rig; Conn conn = rig.serve().dial()) {
        CompletableFuture<String> thread = new CompletableFuture<>();
        Caller caller = conn.caller(Calls.all(1, 1, 1).get("unary"), 0);
        caller.start(failure -> thread.complete(Thread.currentThread().getName()));
        String name = thread.get();
        assertTrue(name.startsWith(each.getValue()), each.getKey() + " runs on " + name);
      }
    }
  }

  @Test
  void thereAreAsManyEventLoopsAsAskedFor() throws Exception {
    for (int threads : new int[] {6, 7}) { // numbers that no other test uses
      Set<Thread> before = Thread.getAllStackTraces().keySet();
      Rig rig = new Rig(new NettyStack());
      rig.clientOptions = Map.of("event_loop_threads", Integer.toString(threads));
      rig.serverOptions = rig.clientOptions;
      List<Conn> conns = new ArrayList<>();
      try (rig) {
        rig.serve();
        for (int i = 0; i < 5; i++) {
          conns.add(rig.dial());
        }
        Set<Thread> loops = loopThreads();
        loops.removeAll(before);
        assertEquals(threads, loops.size(), loops.toString());
      } finally {
        conns.forEach(Conn::close);
      }
    }
  }

  /** Event loops end with their channel, even if it was never ready. */
  @Test
  void eachChannelHasEventLoopsOfItsOwn() throws Exception {
    Map<String, String> own = Map.of("event_loop_group_per_channel", "true", "event_loop_threads", "1");
    Rig rig = new Rig(new NettyStack());
    rig.clientOptions = own;
    Set<Thread> loops = new HashSet<>();
    try (rig) {
      rig.serve();
      Set<Thread> before = loopThreads();
      List<Conn> conns = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        conns.add(rig.dial());
      }
      loops.addAll(loopThreads());
      loops.removeAll(before);
      assertEquals(3, loops.size(), loops.toString());
      conns.forEach(Conn::close);
      DialConfig nowhere = new DialConfig("tcp", "127.0.0.1:1", null, "none", 1, new Wire(), own);
      assertThrows(CallException.class, () -> new NettyStack().dial(nowhere));
      loops.addAll(loopThreads());
      loops.removeAll(before);
      for (Thread loop : loops) {
        loop.join();
      }
    }
  }

  private static Set<Thread> loopThreads() {
    Set<Thread> loops = new HashSet<>(Thread.getAllStackTraces().keySet());
    loops.removeIf(thread -> !thread.getName().startsWith("grpc-loop-"));
    return loops;
  }

  @ParameterizedTest
  @MethodSource("clients")
  void whatCannotBeDialledIsRefused(Stack client) {
    Map<String, List<String>> bad = Map.ofEntries(
        Map.entry("transport", List.of("io_uring", "")),
        Map.entry("direct_executor", List.of("yes")),
        Map.entry("executor_threads", List.of("0", "x")),
        Map.entry("flow_control_window_bytes", List.of("0", "-1", "1e6", "9999999999")),
        Map.entry("event_loop_threads", List.of("0")),
        Map.entry("event_loop_group_per_channel", List.of("yes")),
        Map.entry("keepalive_time_ms", List.of("9999")),
        Map.entry("codec", List.of("json", "BYTES", "")),
        Map.entry("retry", List.of("1")),
        Map.entry("prefetch_messages", List.of("0", "65537")),
        Map.entry("send_deadline", List.of("yes")));
    for (Info.Option option : clientOptions(client)) {
      for (String value : bad.get(option.name())) {
        refused(client, "tcp", Map.of(option.name(), value), option.name());
      }
    }
  }

  private static void refused(Stack client, String network, Map<String, String> options, String named) {
    DialConfig config = new DialConfig(network, "127.0.0.1:1", null, "none", 1, new Wire(), options);
    CallException failure = assertThrows(CallException.class, () -> client.dial(config), named);
    assertEquals(Code.INVALID_ARGUMENT, failure.code());
    assertTrue(failure.getMessage().contains(named), failure.getMessage());
  }

  @Test
  void optionsThatExcludeOneAnotherAreRefused() {
    Map<String, String> both = Map.of("direct_executor", "true", "executor_threads", "2");
    refused(new NettyStack(), "tcp", both, "exclude");
    if (Transport.EPOLL.available()) {
      refused(new NettyStack(), "unix", Map.of("transport", "nio"), "epoll");
    }
  }

  @Test
  void whatCannotBeServedIsRefused() {
    Map<String, String> options = Map.of("transport", "kqueue");
    ServeConfig config = new ServeConfig("tcp", "127.0.0.1:0", null, null, Calls::reply, new Wire(), options);
    CallException failure = assertThrows(CallException.class, () -> new NettyStack().serve(config));
    assertEquals(Code.INVALID_ARGUMENT, failure.code());
    assertTrue(failure.getMessage().contains("transport"), failure.getMessage());
  }

  @Test
  void helpsAreSentences() {
    Predicate<Info.Option> sentence = option ->
        option.help().endsWith(".") && (option.help().contains("default") || !option.standard().isEmpty());
    clients().forEach(client -> assertTrue(client.info().options().stream().allMatch(sentence)));
  }
}
