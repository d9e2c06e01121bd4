package rpcbench.worker;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import rpcbench.host.Machine;
import rpcbench.stack.Info;
import rpcbench.stack.Stack;
import rpcbench.worker.v1.Worker.Deviation;
import rpcbench.worker.v1.Worker.Hello;
import rpcbench.worker.v1.Worker.Host;
import rpcbench.worker.v1.Worker.NumberRange;
import rpcbench.worker.v1.Worker.OptionInfo;
import rpcbench.worker.v1.Worker.StackInfo;
import rpcbench.worker.v1.Worker.VirtualMachine;

/** Describes this worker and its features. */
final class Greeting {
  private static final int PROTOCOL = 1;

  /** Once its compilers are quiet a JVM needs this long to get used to the measured load. */
  static final long LEAST_WARMUP_NS = 2_000_000_000L;

  /** The compilers of a JVM may take this long, before that, until they are quiet. */
  static final long COMPILER_PATIENCE_NS = 60_000_000_000L;

  private Greeting() {}

  static Hello of(List<Stack> stacks) {
    Hello.Builder hello =
        Hello.newBuilder()
            .setProtocol(PROTOCOL)
            .setRuntime(runtime())
            .setLeastWarmupNs(LEAST_WARMUP_NS)
            .setCompilerPatienceNs(COMPILER_PATIENCE_NS)
            .setStages(true)
            .setLimits(true)
            .setStopDrain(true)
            .setPorts(true)
            .setIdleStreams(true)
            .setMixes(true)
            .setReconnects(true)
            .setHost(host())
            .setProcessors(Runtime.getRuntime().availableProcessors())
            .setVirtualMachine(virtualMachine(rpcbench.host.VirtualMachine.describe()));
    for (Stack stack : stacks) {
      hello.addStacks(describe(stack.info()));
    }
    return hello.build();
  }

  private static Host host() {
    Machine machine = Machine.describe();
    return Host.newBuilder()
        .setName(machine.name())
        .setOs(machine.os())
        .setArch(machine.arch())
        .setKernel(machine.kernel())
        .setCpu(machine.cpu())
        .setMemoryBytes(machine.memoryBytes())
        .setGovernor(machine.governor())
        .setOpenFiles(machine.openFiles())
        .setUnixNs(System.currentTimeMillis() * 1_000_000)
        .build();
  }

  private static VirtualMachine virtualMachine(rpcbench.host.VirtualMachine machine) {
    return VirtualMachine.newBuilder()
        .setCollector(machine.collector())
        .setMaxHeapBytes(machine.maxHeapBytes())
        .addAllArguments(machine.arguments().stream().filter(word -> !ofLauncher(word)).collect(Collectors.toList()))
        .build();
  }

  /** Reports whether an option is one that the launcher gives to every worker. */
  static boolean ofLauncher(String option) {
    return option.startsWith("-Drpcbench.")
        || option.startsWith("-Djava.io.tmpdir=")
        || option.equals("--sun-misc-unsafe-memory-access=allow");
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
            .addAllCodecs(info.codecs())
            .setPreparedMethods(info.methods())
            .setSizes(info.sizes())
            .setStores(info.stores());
    for (Info.Option option : info.options()) {
      described.addOptions(describe(option));
    }
    for (Info.Deviation deviation : info.deviations()) {
      described.addDeviations(
          Deviation.newBuilder()
              .setRule(deviation.rule())
              .setCode(deviation.code().name())
              .setReason(deviation.reason()));
    }
    return described.build();
  }

  private static OptionInfo describe(Info.Option option) {
    OptionInfo.Builder described =
        OptionInfo.newBuilder()
            .setName(option.name())
            .setHelp(option.help())
            .setClient(option.client())
            .setServer(option.server())
            .addAllWords(option.words())
            .setDefaultValue(option.standard());
    if (option.numbers() != null) {
      described.setNumbers(NumberRange.newBuilder().setMin(option.numbers().min()).setMax(option.numbers().max()));
    }
    return described.build();
  }
}
