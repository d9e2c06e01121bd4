package analysis

import "rpcbench/internal/results/result"

// declarations lists all metrics, in the order of their columns, which is fixed, as reports.md says, except that columns are
// appended.
var declarations = []Declaration{
	// Counts and rates.
	figure(CallsPerSec, "calls_per_sec", Throughput, InCSV|Spread, callsPerSec,
		"OK calls that ended in the [window](measuring.md#rates-messages-and-mb), divided by its length",
		"no trial succeeded; encode, decode"),
	figure(MessagesPerSec, "messages_per_sec", Throughput, InCSV, messagesPerSec,
		"messages that the client received; in an upload, sent", "connect, first_call, unary"),
	figure(PayloadMBPerSec, "payload_mb_per_sec", Throughput, InCSV, payloadMBPerSec,
		"10^6 bytes of payload, both directions together", "connect, first_call"),
	figure(OperationsPerSec, "operations_per_sec", Throughput, InCSV|Spread, operationsPerSec,
		"operations in the messages of OK calls", "no batches, or no trial succeeded"),
	percentile(ResponseP50Ns, "response_p50", InCSV|Spread, result.HistResponse, 0.5,
		"median response time, from due to done; in a closed load, from sent to done", "no call to take it from"),
	percentile(ResponseP90Ns, "response_p90", InCSV, result.HistResponse, 0.9, "90th percentile", "as response_p50_ns"),
	percentile(ResponseP95Ns, "response_p95", InCSV, result.HistResponse, 0.95, "95th percentile", "as response_p50_ns"),
	percentile(ResponseP99Ns, "response_p99", InCSV|Spread, result.HistResponse, 0.99,
		"99th percentile", "as response_p50_ns"),
	percentile(ResponseP999Ns, "response_p999", InCSV, result.HistResponse, 0.999, "99.9th percentile", "as response_p50_ns"),
	percentile(ResponseMaxNs, "response_max", InCSV, result.HistResponse, 1,
		"the longest call of a trial", "as response_p50_ns"),
	figure(ResponseMeanNs, "response_mean", Latency, 0, responseMean,
		"mean response time, which a few long calls can move; for comparison with what others publish", ""),
	percentile(ErrorP50Ns, "error_p50", InCSV|OfFailed, result.HistError, 0.5,
		"median time of calls that failed, from due to done", "no call was answered with an error"),
	figure(ResponsePerOperation, "response_p50_per_operation", TimeShare, InCSV, responsePerOperation,
		"the call's p50 divided by its operations, although each waits for all of its batch", "as operations_per_sec"),
	figure(ElapsedPerCall, "elapsed_per_call", Latency, 0, elapsedPerCall,
		"the window divided by the OK calls that ended in it; no latency where several are in flight", ""),
	figure(ElapsedPerMessage, "elapsed_per_message", Latency, 0, elapsedPerMessage,
		"the window divided by the messages in it, as `messages_per_sec` counts them", ""),
	figure(ElapsedPerBatch, "elapsed_per_batch", Latency, 0, elapsedPerBatch,
		"the window divided by the messages of the OK calls that ended in it, for batches: what the line over batches is fitted "+
			"to", ""),

	// Of encode and decode.
	figure(NsPerOperation, "time_per_operation", TimeShare, InCSV|Spread|OfCodecs, nsPerOperation,
		"mean time of an operation, garbage collection included", "all kinds but encode, decode"),
	figure(OperationMBPerSec, "operation_mb_per_sec", Throughput, InCSV|OfCodecs, operationMBPerSec,
		"10^6 encoded bytes divided by the time of the operations", "as ns_per_operation"),
	figure(EncodedBytes, "encoded", Size, InCSV|OfCodecs, codecBytes(encodedBytes),
		"size of the message as encoded", "as ns_per_operation"),
	figure(GzippedBytes, "gzipped", Size, InCSV|OfCodecs, codecBytes(gzippedBytes),
		"size of the encoded message through gzip", "as ns_per_operation"),

	// The parts of an open load's response.
	percentile(ServiceP50Ns, "service_p50", InCSV|OpenLoads, result.HistService, 0.5,
		"median time from sent to done", "closed"),
	percentile(ServiceP99Ns, "service_p99", InCSV|OpenLoads, result.HistService, 0.99, "99th percentile", "closed"),
	percentile(QueueP99Ns, "queue_p99", InCSV|OpenLoads, result.HistQueue, 0.99,
		"99th percentile of the wait for a free slot", "closed"),
	percentile(WakeP99Ns, "wake_p99", InCSV|OpenLoads, result.HistWake, 0.99,
		"99th percentile of how late the instrument sent calls", "closed"),

	// Messages within calls.
	percentile(FirstReplyP50Ns, "first_reply_p50", InCSV, result.HistFirstReply, 0.5,
		"median time from sending a call to its first reply, [of all calls](load.md#messages-within-calls)",
		"not a download or stream with `call`"),
	percentile(FirstReplyP99Ns, "first_reply_p99", InCSV, result.HistFirstReply, 0.99,
		"99th percentile", "as first_reply_p50_ns"),
	percentile(FirstReplyMaxNs, "first_reply_max", 0, result.HistFirstReply, 1, "the longest of a trial", ""),
	percentile(ReplyGapP50Ns, "reply_gap_p50", InCSV, result.HistReplyGap, 0.5,
		"median time from one reply to the next", "not a download with `call`"),
	percentile(ReplyGapP99Ns, "reply_gap_p99", InCSV, result.HistReplyGap, 0.99, "99th percentile", "as reply_gap_p50_ns"),
	percentile(ReplyGapMaxNs, "reply_gap_max", 0, result.HistReplyGap, 1, "the longest of a trial", ""),
	percentile(MessageP50Ns, "message_p50", InCSV, result.HistMessage, 0.5,
		"median time from when a message was due, or without a rate sent, to its reply", "not a stream with `call`"),
	percentile(MessageP99Ns, "message_p99", InCSV, result.HistMessage, 0.99, "99th percentile", "as message_p50_ns"),
	percentile(MessageMaxNs, "message_max", 0, result.HistMessage, 1, "the longest of a trial", ""),
	percentile(MessageLagP50Ns, "message_lag_p50", 0, result.HistMessageLag, 0.5,
		"median time from when a message was due until it was sent", ""),
	percentile(MessageLagP99Ns, "message_lag_p99", InCSV, result.HistMessageLag, 0.99,
		"99th percentile of the time from when a message was due until it was sent", "no message rate"),
	percentile(MessageLagMaxNs, "message_lag_max", 0, result.HistMessageLag, 1, "the longest of a trial", ""),
	figure(UnpairedReplies, "unpaired_replies", Count, InCSV, unpairedReplies,
		"replies in a trial that no message waited for", "as message_p50_ns"),

	// Bytes.
	figure(WireOutPerCall, "wire_out_per_call", BytesEach, InCSV, wire(bytesOut, bytesIn),
		"bytes above TCP that the client sent, divided by OK calls", "unknown, or with a background"),
	figure(WireInPerCall, "wire_in_per_call", BytesEach, InCSV, wire(bytesIn, bytesOut),
		"bytes above TCP that the client received, divided by OK calls", "as wire_bytes_out_per_call"),
	figure(WirePerCall, "wire_per_call", BytesEach, 0, wire(bytesBoth, bytesBoth),
		"bytes above TCP in both directions, divided by OK calls", ""),
	figure(WireOutPerOperation, "wire_out_per_operation", BytesEach, InCSV, perBatched(wire(bytesOut, bytesIn)),
		"bytes above TCP that the client sent, divided by the operations of OK calls", "as wire_bytes_out_per_call, or no batches"),
	figure(WireInPerOperation, "wire_in_per_operation", BytesEach, InCSV, perBatched(wire(bytesIn, bytesOut)),
		"bytes above TCP that the client received, divided by the operations of OK calls",
		"as wire_bytes_out_per_operation"),
	figure(Sockets, "sockets", Count, InCSV, sockets,
		"connections that the client opened for its pool; for connect and first_call, in the measured phase", "unknown"),

	// Processor time, and energy.
	figure(ClientCPUPerCall, "client_cpu_per_call", CPUTime, InCSV|Spread, perCall(client, cpu),
		"user and system time of the client process, divided by OK calls", "unknown, or with a background"),
	figure(ServerCPUPerCall, "server_cpu_per_call", CPUTime, InCSV|Spread, perCall(server, cpu),
		"user and system time of the server process, divided by OK calls", "rpcbench did not start the server, or with a background"),
	figure(ClientPacerPerCall, "client_pacer_cpu_per_call", CPUTime, InCSV|OpenLoads, perCall(caller, pacerCPU),
		"the part of `client_cpu_ns_per_call` that the pacer of an open load uses", "closed, or with a background"),
	figure(ClientCPUPerMessage, "client_cpu_per_message", CPUTime, 0, cpuPerMessage(client),
		"CPU time of the client divided by messages, as `messages_per_sec` counts them", ""),
	figure(ServerCPUPerMessage, "server_cpu_per_message", CPUTime, 0, cpuPerMessage(server),
		"CPU time of the server divided by messages", ""),
	figure(ClientCPUPerOperation, "client_cpu_per_operation", CPUTime, OfCodecs,
		either(perOperation(cpu), perBatched(perCall(client, cpu))),
		"CPU time of the client for an encoding, a decoding, or an operation of a batch", ""),
	figure(ServerCPUPerOperation, "server_cpu_per_operation", CPUTime, 0, perBatched(perCall(server, cpu)),
		"CPU time of the server for an operation of a batch", ""),
	figure(ServerCPURatio, "server_cpu_ratio", Part, 0, serverCPURatio,
		"part that the servers used of the time of all processors that they may run on, 0–1", ""),
	figure(ClientSwitchesPerCall, "client_switches_per_call", CountEach, InCSV, perCall(client, switches),
		"context switches of all threads, voluntary or not, divided by OK calls", "unknown, or with a background"),
	figure(ServerSwitchesPerCall, "server_switches_per_call", CountEach, InCSV, perCall(server, switches),
		"as the client's", "rpcbench did not start the server, unknown, or with a background"),
	figure(EnergyPerCall, "energy_per_call", Energy, InCSV, energyPerCall,
		"energy of all processor packages, other programs included, divided by OK calls",
		"the machine does not report it, or with a background"),
	figure(EnergyPerOperation, "energy_per_operation", EnergyShare, OfCodecs, energyPerOperation,
		"energy of all processor packages, other programs included, divided by the encodings or decodings", ""),

	// Memory.
	figure(ClientPeakMemory, "client_peak_memory", Memory, OfCodecs, peakMemory(client),
		"maximum resident size of the client", ""),
	figure(ServerPeakMemory, "server_peak_memory", Memory, 0, peakMemory(server), "maximum resident size of the server", ""),
	figure(ClientHeapBytes, "client_heap", Memory, InCSV|OfCodecs, heap(client),
		"heap in use at the end of the measured phase, garbage included", "unknown"),
	figure(ServerHeapBytes, "server_heap", Memory, InCSV, heap(server), "as the client's", "unknown"),
	figure(ClientAllocsPerCall, "client_allocations_per_call", CountEach, 0, perCall(client, allocations),
		"allocations of the client's runtime, divided by OK calls", ""),
	figure(ServerAllocsPerCall, "server_allocations_per_call", CountEach, 0, perCall(server, allocations),
		"allocations of the server's runtime, divided by OK calls", ""),
	figure(ClientAllocatedPerCall, "client_allocated_per_call", BytesEach, 0, perCall(client, allocated),
		"bytes that the client's runtime allocated, divided by OK calls", ""),
	figure(ServerAllocatedPerCall, "server_allocated_per_call", BytesEach, 0, perCall(server, allocated),
		"bytes that the server's runtime allocated, divided by OK calls", ""),
	figure(AllocsPerOperation, "allocations_per_operation", CountEach, InCSV|OfCodecs, perOperation(allocations),
		"allocations of the runtime for an operation", "as ns_per_operation, or unknown"),
	figure(AllocatedPerOperation, "allocated_per_operation", BytesEach, OfCodecs, perOperation(allocated),
		"bytes that the runtime allocated for an operation", ""),

	// Garbage collection.
	figure(ClientGCCycles, "client_gc_cycles", Count, InCSV|OfCodecs, spent(client, gcCycles),
		"garbage collections in the measured phase", "unknown"),
	figure(ServerGCCycles, "server_gc_cycles", Count, InCSV, spent(server, gcCycles), "as the client's", "unknown"),
	figure(ClientGCPauseNs, "client_gc_pause", Stopped, InCSV|OfCodecs, spent(client, gcPause),
		"how long garbage collections stopped the process in the measured phase", "unknown"),
	figure(ServerGCPauseNs, "server_gc_pause", Stopped, InCSV, spent(server, gcPause), "as the client's", "unknown"),
	figure(ClientGCPausePerSec, "client_gc_pause_per_sec", EachSecond, OfCodecs, pausePerSec(client),
		"how long garbage collections stopped the process in each second", ""),
	figure(ServerGCPausePerSec, "server_gc_pause_per_sec", EachSecond, 0, pausePerSec(server), "as the client's", ""),
	figure(ClientSafepointSyncNs, "client_safepoint_sync", Stopped, OfCodecs, spent(client, safepointSync),
		"how long the threads of a JVM took to stop, whenever all had to, in the measured phase", ""),
	figure(ServerSafepointSyncNs, "server_safepoint_sync", Stopped, 0, spent(server, safepointSync), "as the client's", ""),
	figure(ClientSafepoints, "client_safepoints", Count, OfCodecs, spent(client, safepoints),
		"how often all threads of a JVM were stopped, for collections and other reasons, in the measured phase", ""),
	figure(ServerSafepoints, "server_safepoints", Count, 0, spent(server, safepoints), "as the client's", ""),

	// The instrument and its machine.
	figure(WarmupNs, "warmup", Latency, InCSV|OfCodecs, warmupNs, "how long the warm-up took", "no warm-up"),
	figure(RelayLateP99Ns, "relay_late_p99", Latency, InCSV, relayLate,
		"99th percentile of how late the emulated link passed bytes on", "no link"),
	figure(RelayCPUPerSec, "relay_cpu_per_sec", EachSecond, InCSV, relayCPU,
		"CPU time that the emulation used in each second, without waiting for due times", "no link"),
	figure(LinkUpUsed, "link_up_used_ratio", Part, InCSV, linkUsed(linkUp),
		"used part of the link's bandwidth to servers, 0–1", "no link, or no limit"),
	figure(LinkDownUsed, "link_down_used_ratio", Part, InCSV, linkUsed(linkDown),
		"used part of the link's bandwidth to clients, 0–1", "as link_up_used_ratio"),
	figure(HiccupP99Ns, "hiccup_p99", Latency, InCSV|OfCodecs, worstHost(hiccup(func(h result.Hiccups) int64 { return h.P99Ns })),
		"99th percentile of how late [an idle thread](measuring.md#the-machine-meanwhile) woke", "fewer than 20 sleeps"),
	figure(HiccupMaxNs, "hiccup_max", Latency, InCSV|OfCodecs, worstHost(hiccup(func(h result.Hiccups) int64 { return h.MaxNs })),
		"the latest of a trial", "as hiccup_p99_ns"),
	figure(HostStealRatio, "host_steal_ratio", Part, InCSV|OfCodecs, worstHost(hostSteal),
		"part of all processors' time that the hypervisor gave to other machines, 0–1", "unknown; not on Linux"),
	figure(HostOtherRatio, "host_other_ratio", Part, InCSV|OfCodecs, worstHost(hostOther),
		"part of all processors' time that other processes used, 0–1", "as host_steal_ratio"),

	// After the window.
	figure(TailNs, "tail", Latency, InCSV|Appended, tail,
		"how long after the window the last call ended", "a worker that does not report its window"),
	figure(LateCalls, "late_calls", Count, InCSV|Appended, lateCalls,
		"OK calls that ended after the window, and count in no rate", "as tail_ns"),

	// Of all calls, and the failed part of them.
	figure(FailedRatio, "failed_ratio", Part, InCSV|Appended, failedRatio,
		"part of the calls due that failed, or were never sent or answered, 0–1", "encode, decode"),
	ofAllCalls(ResponseP50OfAll, ResponseP50Ns, "response_p50_of_all", result.HistResponse, 0.5,
		"median response time [of all calls](measuring.md#percentiles-of-all-calls), failed ones being slower than all others",
		"as response_p50_ns"),
	ofAllCalls(ResponseP90OfAll, ResponseP90Ns, "response_p90_of_all", result.HistResponse, 0.9,
		"90th percentile", "as response_p50_ns"),
	ofAllCalls(ResponseP95OfAll, ResponseP95Ns, "response_p95_of_all", result.HistResponse, 0.95,
		"95th percentile", "as response_p50_ns"),
	ofAllCalls(ResponseP99OfAll, ResponseP99Ns, "response_p99_of_all", result.HistResponse, 0.99,
		"99th percentile", "as response_p50_ns"),
	ofAllCalls(ResponseP999OfAll, ResponseP999Ns, "response_p999_of_all", result.HistResponse, 0.999,
		"99.9th percentile", "as response_p50_ns"),
	ofAllCalls(ResponseMaxOfAll, ResponseMaxNs, "response_max_of_all", result.HistResponse, 1,
		"the longest call of a trial", "as response_p50_ns"),
	ofAllCalls(ServiceP50OfAll, ServiceP50Ns, "service_p50_of_all", result.HistService, 0.5,
		"median time from sent to done of all calls", "closed"),
	ofAllCalls(ServiceP99OfAll, ServiceP99Ns, "service_p99_of_all", result.HistService, 0.99,
		"99th percentile", "closed"),

	figure(Retries, "retries", Count, InCSV|Appended, retries,
		"calls of a trial that were [sent once more](measuring.md#deadlines-errors-and-outcomes)",
		"the stack's library does not report it"),

	// Several clients.
	figure(ClientBegunNs, "client_begun", Latency, InCSV|Appended, clientBegun,
		"how much later than the first client the last one began", "one client"),
	figure(ClientRoundTripNs, "client_round_trip", Latency, InCSV|Appended, clientRoundTrip,
		"how long a message from the driver to a client and the answer took, the longest of all clients", "one client"),

	// What hosts, and the network between them, withheld.
	figure(HostThrottledNs, "host_throttled", Stopped, InCSV|OfCodecs|Appended, worstHost(hostThrottled),
		"how long the quota of a control group kept threads of the trial off processors, summed over processors",
		"no quota, or unknown"),
	figure(HostFrequencyMHz, "host_frequency_mhz", Clock, InCSV|OfCodecs|Appended, slowestHost,
		"average frequency of the processors, in MHz; of several hosts the lowest",
		"the system does not report it, as on most virtual machines"),
	figure(HostHeatThrottles, "host_heat_throttles", Count, InCSV|OfCodecs|Appended, worstHost(hostHeat),
		"how often processors were slowed down because of heat", "the system does not report it"),
	figure(HostDroppedPackets, "host_dropped_packets", Count, InCSV|Appended, worstHost(hostDropped),
		"packets that the kernel or its interfaces dropped", "not on Linux"),
	figure(HostRetransmitRatio, "host_retransmit_ratio", Part, InCSV|Appended, worstHost(hostRetransmits),
		"part of the segments of the trial's TCP sockets that had to be sent again, 0–1", "unknown, or no TCP"),

	// The input of gzip codecs.
	figure(PlainBytes, "plain", Size, InCSV|OfCodecs|Appended, codecBytes(plainBytes),
		"size of the message as encoded, before gzip", "as ns_per_operation"),
	figure(OperationPlainMBPerSec, "operation_plain_mb_per_sec", Throughput, InCSV|OfCodecs|Appended, operationPlainMBPerSec,
		"10^6 bytes before gzip divided by the time of the operations", "as ns_per_operation"),

	// All sides together, which is all that is known of a process with both.
	figure(CPUPerCall, "cpu_per_call", CPUTime, InCSV|Spread|Appended, allCPUPerCall,
		"user and system time of the processes of all sides, divided by OK calls",
		"rpcbench did not start the server, unknown, or with a background"),

	// Bytes inside a network's own frames.
	figure(FramedOutPerCall, "framed_out_per_call", BytesEach, InCSV|Appended, wire(framedOut, framedIn),
		"the part of `wire_bytes_out_per_call` within the frames of a WebSocket", "not over `ws`, or with a background"),
	figure(FramedInPerCall, "framed_in_per_call", BytesEach, InCSV|Appended, wire(framedIn, framedOut),
		"the part of `wire_bytes_in_per_call` within the frames of a WebSocket", "as framed_bytes_out_per_call"),

	// The third side.
	figure(ProxyCPUPerCall, "proxy_cpu_per_call", CPUTime, InCSV|Spread|Appended, perCall(proxy, cpu),
		"user and system time of the proxy and all that it started, divided by OK calls", "no proxy, unknown, or with a background"),
	figure(ProxyPeakMemory, "proxy_peak_memory", Memory, InCSV|Appended, peakMemory(proxy),
		"sum of the maximum resident sizes of the proxy's processes", "no proxy, or unknown"),
	figure(ProxySwitchesPerCall, "proxy_switches_per_call", CountEach, InCSV|Appended, perCall(proxy, switches),
		"context switches of the proxy's threads, divided by OK calls", "as proxy_cpu_ns_per_call"),
	// Packets. A segment counts those without payload, which acknowledge.
	figure(SegmentsOutPerCall, "segments_out_per_call", CountEach, InCSV|Appended, segments(segmentsOut, segmentsIn),
		"TCP segments that the client sent, by the kernel's TCP_INFO, divided by OK calls; on the loopback interface they are up to "+
			"64 KiB long", "no TCP, not on Linux, or as wire_bytes_out_per_call"),
	figure(SegmentsInPerCall, "segments_in_per_call", CountEach, InCSV|Appended, segments(segmentsIn, segmentsOut),
		"the same of those that it received", "as segments_out_per_call"),
	figure(PacketBytesOutPerCall, "packet_out_per_call", BytesEach, InCSV|Appended,
		packets(bytesOut, bytesIn, segmentsOut, segmentsIn),
		"wire_bytes_out_per_call and, estimated, the headers of its segments: 52 B each, IPv4's 20 and TCP's 32 with time stamps; "+
			"frames of the network below are not in", "as segments_out_per_call"),
	figure(PacketBytesInPerCall, "packet_in_per_call", BytesEach, InCSV|Appended,
		packets(bytesIn, bytesOut, segmentsIn, segmentsOut),
		"the same of what it received", "as segments_out_per_call"),

	// Further percentiles.
	percentile(ResponseP75Ns, "response_p75", InCSV|Appended, result.HistResponse, 0.75, "75th percentile", "as response_p50_ns"),
	percentile(ResponseP9999Ns, "response_p9999", InCSV|Appended, result.HistResponse, 0.9999,
		"99.99th percentile, which needs 36,887 calls in a trial", "as response_p50_ns"),
	ofAllCalls(ResponseP75OfAll, ResponseP75Ns, "response_p75_of_all", result.HistResponse, 0.75,
		"75th percentile", "as response_p50_ns"),
	ofAllCalls(ResponseP9999OfAll, ResponseP9999Ns, "response_p9999_of_all", result.HistResponse, 0.9999,
		"99.99th percentile", "as response_p50_ns"),
}

// figure declares a metric that is no percentile.
func figure(m Metric, name string, kind Kind, traits Trait, of formula, is, absent string) Declaration {
	return Declaration{Metric: m, Name: name, Kind: kind, Traits: traits, of: of, Is: is, Absent: absent}
}

// ofAllCalls declares a percentile over all calls, which judges one of OK calls.
func ofAllCalls(m, judges Metric, name, histogram string, q float64, is, absent string) Declaration {
	d := percentile(m, name, InCSV|Appended, histogram, q, is, absent)
	d.of, d.judges = ofAll(histogram, q), judges
	return d
}

// percentile declares one of a histogram's, of OK calls.
func percentile(m Metric, name string, traits Trait, histogram string, q float64, is, absent string) Declaration {
	return Declaration{Metric: m, Name: name, Kind: Latency, Traits: traits, Quantile: q, histogram: histogram,
		of: quantile(histogram, q), Is: is, Absent: absent}
}
