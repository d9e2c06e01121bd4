package worker

import (
	"bytes"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// checkDrawn names what this worker can't draw at random.
func checkDrawn(info stack.Info, call *control.Call) error {
	if call.GetSizes() != nil {
		if err := checkSizes(info, call); err != nil {
			return err
		}
	}
	if call.GetAccesses() != nil {
		return checkAccesses(info, call)
	}
	return nil
}

func checkSizes(info stack.Info, call *control.Call) error {
	sizes := call.GetSizes()
	switch {
	case !info.Sizes:
		return control.Faultf("connect.call.sizes", "%s draws no lengths", info.Name)
	case call.GetBatch() > 0 || isForeign(call) || !stack.IsSizedKind(call.GetKind()):
		return control.Faultf("connect.call.sizes",
			"they are for unary, stream, ping_pong, burst and upload, without a batch or a recipe")
	}
	for _, side := range []struct {
		name string
		bins []*control.SizeBin
		most uint32
	}{{"requests", sizes.GetRequests(), call.GetRequestBytes()}, {"replies", sizes.GetReplies(), call.GetResponseBytes()}} {
		bins := binsOf(side.bins)
		field := "connect.call.sizes." + side.name
		if reason := stack.CheckSizeBins(bins); reason != "" {
			return control.Faultf(field, "%s", reason)
		}
		for _, b := range bins {
			if b.Most > int(side.most) {
				return control.Faultf(field, "%d is more than the %d bytes that the call has at the most", b.Most, side.most)
			}
		}
	}
	if len(sizes.GetReplies()) == 0 && call.GetResponseBytes() != call.GetRequestBytes() {
		return control.Faultf("connect.call.response_bytes",
			"replies as long as their requests have at most %d", call.GetRequestBytes())
	}
	return nil
}

func checkAccesses(info stack.Info, call *control.Call) error {
	a := call.GetAccesses()
	switch {
	case !info.Stores:
		return control.Faultf("connect.call.accesses", "%s makes none", info.Name)
	case call.GetBatch() == 0:
		return control.Faultf("connect.call.accesses", "they are operations of a batch")
	case call.GetRequestBytes() < stack.ValueBytesMin || call.GetResponseBytes() != call.GetRequestBytes():
		return control.Faultf("connect.call.response_bytes", "values have as many bytes both ways, at least %d", stack.ValueBytesMin)
	case a.GetRecords() < 1 || a.GetRecords() > stack.RecordsMax:
		return control.Faultf("connect.call.accesses.records", "%d is not between 1 and %d", a.GetRecords(), stack.RecordsMax)
	case a.GetReadsPerMillion() > 1e6:
		return control.Faultf("connect.call.accesses.reads_per_million", "%d is more than a million", a.GetReadsPerMillion())
	case !(a.GetZipfTheta() >= 0 && a.GetZipfTheta() < 1):
		return control.Faultf("connect.call.accesses.zipf_theta", "%v is not between 0 and 1", a.GetZipfTheta())
	case a.GetZipfTheta() > 0 && !(a.GetZipfZeta() >= 1):
		return control.Faultf("connect.call.accesses.zipf_zeta", "%v is not a sum that begins with 1", a.GetZipfZeta())
	default:
		return nil
	}
}

func binsOf(bins []*control.SizeBin) []stack.SizeBin {
	made := make([]stack.SizeBin, len(bins))
	for i, b := range bins {
		made[i] = stack.SizeBin{Least: int(b.GetLeast()), Most: int(b.GetMost()), Weight: b.GetWeight()}
	}
	return made
}

// setDrawn adds the randomly drawn parts of a call.
func setDrawn(made *stack.Call, call *control.Call) {
	if s := call.GetSizes(); s != nil {
		made.Sizes = stack.NewSizes(s.GetSeed(), binsOf(s.GetRequests()), len(made.Request), binsOf(s.GetReplies()))
		if !call.GetLengthsOnly() {
			made.Check = checkBeginning(stack.Payload(call.GetPayload(), call.GetSeed(), max(len(made.Request), made.ResponseBytes)))
		}
	}
	if a := call.GetAccesses(); a != nil {
		made.Accesses = stack.NewAccesses(a.GetSeed(), stack.Mix{
			Records: a.GetRecords(), ReadsPerMillion: uint64(a.GetReadsPerMillion()), Theta: a.GetZipfTheta(), Zeta: a.GetZipfZeta(),
		}, len(made.Request))
		made.Check = nil // answers are checked against what they are asked for
	}
}

// checkBeginning returns the check of replies that are the beginning of longest; how long they are is checked before.
func checkBeginning(longest []byte) func(reply []byte) error {
	return func(reply []byte) error {
		if bytes.HasPrefix(longest, reply) {
			return nil
		}
		return stack.Errorf(stack.Mismatch, "the reply of %d bytes has other bytes than expected", len(reply))
	}
}
