package driver

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/call/secret"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack/cut"
	"rpcbench/internal/worker/control"
)

// addDone adds a client's report to its record.
func addDone(r *result.Record, done *control.Done) error {
	r.ElapsedNs, r.WindowNs, r.Tail = done.GetElapsedNs(), done.GetWindowNs(), tailOf(done.GetTail())
	r.StoppedNs, r.Arrivals, r.Clamped = done.GetStoppedNs(), done.GetArrivals(), done.GetClamped()
	r.MessagesOut, r.MessagesIn = done.GetMessagesOut(), done.GetMessagesIn()
	r.PayloadOut, r.PayloadIn = done.GetPayloadBytesOut(), done.GetPayloadBytesIn()
	r.UnpairedReplies, r.Retries = done.GetUnpairedReplies(), done.Retries
	r.Outcomes = []result.Outcome{}
	for _, o := range done.GetOutcomes() {
		r.Outcomes = append(r.Outcomes, result.Outcome{Code: o.GetCode(), Calls: o.GetCalls(), Example: cut.Text(o.GetExample())})
	}
	r.Histograms = map[string]string{}
	for _, h := range done.GetHistograms() {
		r.Histograms[h.GetName()] = base64.StdEncoding.EncodeToString(h.GetV2Compressed())
	}
	for _, w := range done.GetWindows() {
		r.Windows = append(r.Windows, result.Window{
			StartNs: w.GetStartNs(), EndNs: w.GetEndNs(), Response: base64.StdEncoding.EncodeToString(w.GetResponse()),
		})
	}
	keepFirst(r, done)
	if b := done.GetBackground(); b != nil {
		r.Background = &result.Background{OK: b.GetOk(), Errors: b.GetErrors(), Example: cut.Text(b.GetExample())}
	}
	r.Mixed = nil
	for _, one := range done.GetMixed() {
		var part result.Record
		if err := addDone(&part, one); err != nil {
			return fmt.Errorf("of a call of the mix, %w", err)
		}
		r.Mixed = append(r.Mixed, part)
	}
	return r.CheckCounts()
}

// keepFirst keeps the parts of the first call, which only the first phase reports.
func keepFirst(r *result.Record, done *control.Done) {
	if f := done.GetFirst(); f != nil {
		r.First = &result.FirstCall{
			ResolveNs: f.GetResolveNs(), ConnectNs: f.GetConnectNs(), TLSNs: f.GetTlsNs(),
			ProtocolNs: f.GetProtocolNs(), CallNs: f.GetCallNs(),
			InCall: f.GetInCall(),
		}
	}
}

// keepCodec stores what a client measured about a message before it encoded it.
func keepCodec(r *result.Record, connected *control.Connected) {
	if c := connected.GetCodec(); c != nil {
		r.Codec = &result.Codec{
			Repeat: int64(c.GetRepeat()), EncodedBytes: int64(c.GetEncodedBytes()), GzippedBytes: int64(c.GetGzippedBytes()),
			PlainBytes: int64(c.GetPlainBytes()),
		}
	}
}

func tailOf(t *control.Tail) *result.Tail {
	if t == nil {
		return nil
	}
	return &result.Tail{
		OK: t.GetOk(), MessagesOut: t.GetMessagesOut(), MessagesIn: t.GetMessagesIn(),
		PayloadOut: t.GetPayloadBytesOut(), PayloadIn: t.GetPayloadBytesIn(),
	}
}

// countedAt says which side's count of bytes holds: the client's where all clients have one. Coding sends nothing.
func countedAt(e *result.Trial) string {
	counts := func(side result.Side) bool { return side.End != nil && side.End.BytesOut != nil }
	lacks := func(c result.Client) bool { return !counts(c.Side) }
	switch {
	case codes(e.Spec):
		return ""
	case !slices.ContainsFunc(e.Clients, lacks):
		return "client"
	case len(e.Servers) > 0 && counts(e.Servers[0]):
		return "server"
	default:
		return ""
	}
}

// virtualMachineOf hides apparent secrets in the options, because results are shared.
func virtualMachineOf(vm *control.VirtualMachine) *result.VirtualMachine {
	if vm == nil {
		return nil
	}
	return &result.VirtualMachine{
		Collector: vm.GetCollector(), MaxHeapBytes: vm.GetMaxHeapBytes(), Arguments: secret.Words(vm.GetArguments()),
	}
}

func snapshotOf(s *control.Snapshot) *result.Snapshot {
	return &result.Snapshot{
		TimeNs: s.GetTimeNs(), CPUUserNs: s.GetCpuUserNs(), CPUSystemNs: s.GetCpuSystemNs(),
		CPUUnknown:      s.GetCpuUserNs() == 0 && s.GetCpuSystemNs() == 0,
		PeakMemoryBytes: s.GetPeakMemoryBytes(), Sockets: s.GetSockets(),
		BytesOut: s.BytesOut, BytesIn: s.BytesIn, FramedBytesOut: s.FramedBytesOut, FramedBytesIn: s.FramedBytesIn,
		Allocations: s.Allocations, AllocatedBytes: s.AllocatedBytes,
		GCCycles: s.GcCycles, GCPauseNs: s.GcPauseNs, PacerCPUNs: s.PacerCpuNs,
		HeapBytes: s.HeapBytes, HeapCommittedBytes: s.HeapCommittedBytes,
		VoluntarySwitches: s.VoluntarySwitches, InvoluntarySwitches: s.InvoluntarySwitches,
		CompilerCPUNs: s.CompilerCpuNs, Compilations: s.Compilations,
		SafepointSyncNs: s.SafepointSyncNs, Safepoints: s.Safepoints,
		SegmentsOut: s.SegmentsOut, SegmentsIn: s.SegmentsIn, Retransmits: s.Retransmits, ThrottledNs: s.ThrottledNs,
		BatteryLevel: s.BatteryLevel, BatteryUAh: s.BatteryUah,
	}
}

func intervalOf(i *control.Interval) result.Interval {
	interval := result.Interval{
		StartNs: i.GetStartNs(), EndNs: i.GetEndNs(), OK: i.GetOk(), Errors: i.GetErrors(), InFlight: i.GetInFlight(),
		ResponseMeanNs: i.GetResponseMeanNs(),
	}
	if q := i.GetResponse(); q != nil {
		interval.Response = &result.Quantiles{
			Calls: q.GetCalls(), P50Ns: q.GetP50Ns(), P90Ns: q.GetP90Ns(), P99Ns: q.GetP99Ns(), MaxNs: q.GetMaxNs(),
		}
	}
	return interval
}

// judge fails a trial in which no call was made, or one of whose clients failed.
func judge(e result.Trial) error {
	made := false
	for i, client := range e.Clients {
		if e.Interrupted && !hasAnswer(client) {
			continue // it was not given the time
		}
		err := judgeClient(client.Record)
		if err != nil && e.Cut != nil {
			err = fmt.Errorf("%w; %v", err, e.Cut)
		}
		if err != nil && len(e.Clients) > 1 {
			return blame(newClient(i, len(e.Clients), client.Host).name, err)
		} else if err != nil {
			return err
		}
		made = made || len(client.Outcomes) > 0
	}
	if !made {
		return &result.FailureError{Code: result.FailureNoCall, Err: errors.New("no call was made")}
	}
	return nil
}

// judgeClient fails a client none of whose calls was OK, or whose background failed: the calls then had less beside them
// than the trial claims.
func judgeClient(r result.Record) error {
	if r.Background != nil && r.Background.Errors > 0 {
		return &result.FailureError{Code: result.FailureBackground,
			Err: fmt.Errorf("the background failed %d times: %s", r.Background.Errors, r.Background.Example)}
	}
	isOK := func(o result.Outcome) bool { return o.Code == result.CodeOK }
	if len(r.Outcomes) == 0 || slices.ContainsFunc(r.Outcomes, isOK) {
		return nil
	}
	return &result.FailureError{Code: result.FailureCalls, Err: errors.New("every call failed" + mostly(r.Outcomes))}
}

// mostly says how most calls failed: the code that comes first may be that of a few.
func mostly(outcomes []result.Outcome) string {
	most := result.Most(outcomes)
	if len(outcomes) == 1 {
		return ": " + cmp.Or(strings.TrimSuffix(most.Example, ": "), most.Code) // of a server that gave no message
	}
	var calls int64
	for _, o := range outcomes {
		calls += o.Calls
	}
	how := fmt.Sprintf(", %d of %d with %s", most.Calls, calls, most.Code)
	if said := most.Said(); said != "" {
		how += ": " + said
	}
	return how
}
