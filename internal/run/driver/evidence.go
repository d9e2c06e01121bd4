package driver

import (
	"encoding/base64"
	"errors"
	"fmt"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// addDone puts what the client reports into the evidence.
func addDone(e *result.Trial, done *control.Done) error {
	e.ElapsedNs, e.Arrivals, e.Clamped = done.GetElapsedNs(), done.GetArrivals(), done.GetClamped()
	e.MessagesOut, e.MessagesIn = done.GetMessagesOut(), done.GetMessagesIn()
	e.PayloadOut, e.PayloadIn = done.GetPayloadBytesOut(), done.GetPayloadBytesIn()
	e.UnpairedReplies = done.GetUnpairedReplies()
	var sum int64
	for _, o := range done.GetOutcomes() {
		e.Outcomes = append(e.Outcomes, result.Outcome{Code: o.GetCode(), Calls: o.GetCalls(), Example: o.GetExample()})
		sum += o.GetCalls()
	}
	e.Histograms = map[string]string{}
	for _, h := range done.GetHistograms() {
		e.Histograms[h.GetName()] = base64.StdEncoding.EncodeToString(h.GetV2Compressed())
	}
	for _, w := range done.GetWindows() {
		e.Windows = append(e.Windows, result.Window{
			StartNs: w.GetStartNs(), EndNs: w.GetEndNs(), Response: base64.StdEncoding.EncodeToString(w.GetResponse()),
		})
	}
	keepFirst(e, done)
	if b := done.GetBackground(); b != nil {
		e.Background = &result.Background{OK: b.GetOk(), Errors: b.GetErrors(), Example: b.GetExample()}
	}
	e.WireCountedAt = countedAt(e)
	if sum != e.Arrivals {
		return fmt.Errorf("client: %d arrivals, but %d outcomes", e.Arrivals, sum)
	}
	return nil
}

// keepFirst keeps the parts of the first call, which only the first phase reports.
func keepFirst(e *result.Trial, done *control.Done) {
	if f := done.GetFirst(); f != nil {
		e.First = &result.FirstCall{
			ResolveNs: f.GetResolveNs(), ConnectNs: f.GetConnectNs(), TLSNs: f.GetTlsNs(),
			ProtocolNs: f.GetProtocolNs(), CallNs: f.GetCallNs(),
			InCall: f.GetInCall(),
		}
	}
}

// keepCodec keeps what a client found about a message before it coded it.
func keepCodec(e *result.Trial, connected *control.Connected) {
	if c := connected.GetCodec(); c != nil {
		e.Codec = &result.Codec{
			Repeat: int64(c.GetRepeat()), EncodedBytes: int64(c.GetEncodedBytes()), GzippedBytes: int64(c.GetGzippedBytes()),
		}
	}
}

// countedAt says which side's count of bytes holds: the client's where it has one. Coding sends nothing.
func countedAt(e *result.Trial) string {
	switch {
	case codes(e.Spec):
		return ""
	case e.Client.End.BytesOut != nil:
		return "client"
	case e.Server.End != nil && e.Server.End.BytesOut != nil:
		return "server"
	default:
		return ""
	}
}

func snapshotOf(s *control.Snapshot) *result.Snapshot {
	return &result.Snapshot{
		TimeNs: s.GetTimeNs(), CPUUserNs: s.GetCpuUserNs(), CPUSystemNs: s.GetCpuSystemNs(),
		PeakMemoryBytes: s.GetPeakMemoryBytes(), Sockets: s.GetSockets(),
		BytesOut: s.BytesOut, BytesIn: s.BytesIn, Allocations: s.Allocations, AllocatedBytes: s.AllocatedBytes,
		GCCycles: s.GcCycles, GCPauseNs: s.GcPauseNs, PacerCPUNs: s.PacerCpuNs,
		HeapBytes: s.HeapBytes, HeapCommittedBytes: s.HeapCommittedBytes,
		VoluntarySwitches: s.VoluntarySwitches, InvoluntarySwitches: s.InvoluntarySwitches,
	}
}

func intervalOf(i *control.Interval) result.Interval {
	interval := result.Interval{
		StartNs: i.GetStartNs(), EndNs: i.GetEndNs(), OK: i.GetOk(), Errors: i.GetErrors(), InFlight: i.GetInFlight(),
	}
	if q := i.GetResponse(); q != nil {
		interval.Response = &result.Quantiles{
			Calls: q.GetCalls(), P50Ns: q.GetP50Ns(), P90Ns: q.GetP90Ns(), P99Ns: q.GetP99Ns(), MaxNs: q.GetMaxNs(),
		}
	}
	return interval
}

// judge fails a trial none of whose calls was OK, or whose background failed: the calls then had less beside them than
// the trial claims.
func judge(e result.Trial) error {
	if e.Background != nil && e.Background.Errors > 0 {
		return fmt.Errorf("the background failed %d times: %s", e.Background.Errors, e.Background.Example)
	}
	for _, o := range e.Outcomes {
		if o.Code == result.CodeOK {
			return nil
		}
	}
	if len(e.Outcomes) == 0 {
		return errors.New("no call was made")
	}
	worst := e.Outcomes[0]
	if worst.Example == "" {
		return fmt.Errorf("every call failed: %s", worst.Code)
	}
	return fmt.Errorf("every call failed: %s", worst.Example)
}
