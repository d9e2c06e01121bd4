package rpcbench.worker;

import rpcbench.host.Battery;
import rpcbench.host.Host;
import rpcbench.host.Usage;
import rpcbench.stack.Wire;
import rpcbench.worker.v1.Worker.Mark;
import rpcbench.worker.v1.Worker.Snapshot;

/** Takes Snapshots of this process's resource usage. Their time starts when this is created, with the worker. */
final class Snapshots {
  private final long startedNs = System.nanoTime();
  private final Battery battery;

  Snapshots(Battery battery) {
    this.battery = battery;
  }

  /**
   * Takes a Snapshot of the process and of what wire counts; client is null on a server. For a brief Mark it looks at no thread,
   * of which there may be one for each call in flight.
   */
  Snapshot take(Mark mark, Wire wire, Client client) {
    Usage usage = mark.getBrief() ? Host.brief() : Host.self();
    Snapshot.Builder snapshot =
        Snapshot.newBuilder().setTimeNs(System.nanoTime() - startedNs).setSockets(wire.socketsOpened());
    usage.cpuUserNs().ifPresent(snapshot::setCpuUserNs);
    usage.cpuSystemNs().ifPresent(snapshot::setCpuSystemNs);
    usage.peakMemoryBytes().ifPresent(snapshot::setPeakMemoryBytes);
    usage.allocatedBytes().ifPresent(snapshot::setAllocatedBytes);
    usage.gcCycles().ifPresent(snapshot::setGcCycles);
    usage.gcPauseNs().ifPresent(snapshot::setGcPauseNs);
    usage.heapBytes().ifPresent(snapshot::setHeapBytes);
    usage.heapCommittedBytes().ifPresent(snapshot::setHeapCommittedBytes);
    usage.voluntarySwitches().ifPresent(snapshot::setVoluntarySwitches);
    usage.involuntarySwitches().ifPresent(snapshot::setInvoluntarySwitches);
    usage.compilerCpuNs().ifPresent(snapshot::setCompilerCpuNs);
    usage.compilations().ifPresent(snapshot::setCompilations);
    usage.safepointSyncNs().ifPresent(snapshot::setSafepointSyncNs);
    usage.safepoints().ifPresent(snapshot::setSafepoints);
    usage.throttledNs().ifPresent(snapshot::setThrottledNs);
    if (wire.countsBytes()) {
      snapshot.setBytesOut(wire.bytesOut()).setBytesIn(wire.bytesIn());
    }
    if (client != null) {
      client.pacerCpuNs().ifPresent(snapshot::setPacerCpuNs);
    }
    addBattery(snapshot);
    return snapshot.build();
  }

  private void addBattery(Snapshot.Builder snapshot) {
    double level = battery.level();
    if (level >= 0) {
      snapshot.setBatteryLevel(level);
    }
    long charge = battery.microampHours();
    if (charge >= 0) {
      snapshot.setBatteryUah(charge);
    }
  }
}
