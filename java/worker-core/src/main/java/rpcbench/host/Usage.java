package rpcbench.host;

import java.util.OptionalLong;

/**
 * What this process has used since it started. An absent figure is unknown.
 *
 * @param cpuUserNs together with cpuSystemNs to some milliseconds; see {@link CpuTime}
 * @param cpuSystemNs its share of both is known in steps of 10 ms
 * @param peakMemoryBytes the greatest resident memory so far, in steps of 1 kB
 * @param gcCycles collections of all collectors
 * @param gcPauseNs how long the collectors stopped the program, in steps of 1 ms
 * @param allocatedBytes on the heap; see {@link Allocation} for when it is known
 * @param heapBytes in use now, garbage included
 * @param heapCommittedBytes what the heap holds of the system's memory now
 * @param voluntarySwitches context switches because a thread had to wait; see {@link Switches} for those of ended threads
 * @param involuntarySwitches context switches because a thread was sent off its processor
 * @param compilerCpuNs of the threads that compile; see {@link Compilers} for those that ended
 * @param compilations of methods
 * @param safepointSyncNs how long threads took to stop, whenever all had to, in steps of 1 ms
 * @param safepoints how often all threads were stopped, by the collectors or for other reasons
 * @param throttledNs how long the quota of a control group kept threads off processors; see {@link Throttle}
 */
public record Usage(
    OptionalLong cpuUserNs,
    OptionalLong cpuSystemNs,
    OptionalLong peakMemoryBytes,
    OptionalLong gcCycles,
    OptionalLong gcPauseNs,
    OptionalLong allocatedBytes,
    OptionalLong heapBytes,
    OptionalLong heapCommittedBytes,
    OptionalLong voluntarySwitches,
    OptionalLong involuntarySwitches,
    OptionalLong compilerCpuNs,
    OptionalLong compilations,
    OptionalLong safepointSyncNs,
    OptionalLong safepoints,
    OptionalLong throttledNs) {}
