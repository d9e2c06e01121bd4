package rpcbench.worker;

import java.util.List;
import java.util.Locale;
import rpcbench.stack.Info;
import rpcbench.stack.Stack;
import rpcbench.worker.v1.Worker.Hello;
import rpcbench.worker.v1.Worker.OptionInfo;
import rpcbench.worker.v1.Worker.StackInfo;

/** Says what this worker is and can do. */
final class Greeting {
  private static final int PROTOCOL = 1;

  /** A JVM needs this long to compile what runs often; a shorter warm-up would measure the machine's start, not the stack. */
  static final long LEAST_WARMUP_NS = 8_000_000_000L;

  private Greeting() {}

  static Hello of(List<Stack> stacks) {
    Hello.Builder hello =
        Hello.newBuilder()
            .setProtocol(PROTOCOL)
            .setRuntime(runtime())
            .setLeastWarmupNs(LEAST_WARMUP_NS)
            .setLimits(true)
            .setStopDrain(true)
            .setProcessors(Runtime.getRuntime().availableProcessors());
    for (Stack stack : stacks) {
      hello.addStacks(describe(stack.info()));
    }
    return hello.build();
  }

  /** Begins with "java ", by which a driver knows a JVM. */
  private static String runtime() {
    String version = System.getProperty("java.runtime.version", System.getProperty("java.version"));
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT) + "/" + System.getProperty("os.arch");
    return "java " + version + " " + system + ", " + System.getProperty("java.vm.name");
  }

  private static StackInfo describe(Info info) {
    StackInfo.Builder described =
        StackInfo.newBuilder()
            .setName(info.name())
            .setProtocol(info.protocol())
            .setLibrary(info.library())
            .setServes(info.serves())
            .setCalls(info.calls())
            .addAllKinds(info.kinds())
            .addAllNetworks(info.networks())
            .addAllSecurities(info.securities())
            .addAllCompressions(info.compressions())
            .setMultiplexed(info.multiplexed())
            .addAllMessages(info.messages())
            .addAllCodecs(info.codecs());
    for (Info.Option option : info.options()) {
      described.addOptions(
          OptionInfo.newBuilder()
              .setName(option.name())
              .setHelp(option.help())
              .setClient(option.client())
              .setServer(option.server()));
    }
    return described.build();
  }
}
