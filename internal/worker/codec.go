package worker

import (
	"slices"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
)

// connectCodec makes a call of encode or decode ready, which has no server.
func (w *worker) connectCodec(s stack.Stack, c *control.Connect) (*control.Connected, error) {
	if err := checkCodec(s.Info(), c); err != nil {
		return nil, err
	}
	conn, err := s.Dial(w.ctx, stack.DialConfig{InFlight: 1, Options: c.GetOptions()})
	if err != nil {
		return nil, control.Faultf("connect", "%v", err)
	}
	call := codecCallOf(c.GetCall())
	caller, err := conn.Caller(call, 0)
	if err != nil {
		_ = conn.Close() // it has no call to make
		return nil, control.Faultf("connect.call", "%s", stack.Reason(err))
	}
	cl := &client{
		info: s.Info(), connect: c, wire: w.wire, call: call, conns: []stack.Conn{conn}, waiter: load.NewWaiter(),
	}
	cl.parts = []*part{{call: call}}
	cl.pool = cl.newPool(calls{callers: []load.Caller{caller}})
	w.client = cl
	return &control.Connected{Codec: codecOf(caller)}, nil
}

func codecCallOf(call *control.Call) stack.Call {
	return stack.Call{Kind: call.GetKind(), Codec: &stack.Codec{
		Message: call.GetMessage(), Codec: call.GetCodec(), Seed: call.GetSeed(),
		Sample: time.Duration(call.GetSampleNs()),
	}}
}

func codecOf(caller stack.Caller) *control.Codec {
	found := caller.(stack.Calibrated).Calibration()
	return &control.Codec{
		Repeat:       uint64(found.Repeat),
		EncodedBytes: uint64(found.EncodedBytes),
		GzippedBytes: uint64(found.GzippedBytes),
		PlainBytes:   uint64(found.PlainBytes),
	}
}

// checkCodec names the first field that does not go with encode and decode.
func checkCodec(info stack.Info, c *control.Connect) error {
	call := c.GetCall()
	switch {
	case !slices.Contains(info.Kinds, call.GetKind()):
		return control.Faultf("connect.call.kind", "%s has no %q", info.Name, call.GetKind())
	case !slices.Contains(info.Messages, call.GetMessage()):
		return control.Faultf("connect.call.message", "%s has no %q", info.Name, call.GetMessage())
	case !slices.Contains(info.Codecs, call.GetCodec()):
		return control.Faultf("connect.call.codec", "%s has no %q", info.Name, call.GetCodec())
	case call.GetSampleNs() < int64(stack.SampleMin) || call.GetSampleNs() > int64(stack.SampleMax):
		return control.Faultf("connect.call.sample_ns", "it must be %v to %v", stack.SampleMin, stack.SampleMax)
	case call.GetDeadlineNs() < call.GetSampleNs():
		return control.Faultf("connect.call.deadline_ns", "it must be at least as long as sample_ns")
	case c.GetConnections() != 1:
		return control.Faultf("connect.connections", "it must be 1 for %s", call.GetKind())
	case c.GetInFlight() != 1:
		return control.Faultf("connect.in_flight", "it must be 1 for %s", call.GetKind())
	}
	return checkBare(c)
}

// checkBare names the first field that only a call with a server has.
func checkBare(c *control.Connect) error {
	call := c.GetCall()
	for _, field := range []struct {
		name  string
		given bool
	}{
		{"network", c.GetNetwork() != ""},
		{"addresses", len(c.GetAddresses()) > 0},
		{"security", c.GetSecurity().GetMode() != ""},
		{"streams", c.GetStreams() > 0},
		{"background", c.GetBackground() != nil},
		{"call.request_bytes", call.GetRequestBytes() > 0},
		{"call.response_bytes", call.GetResponseBytes() > 0},
		{"call.messages", call.GetMessages() > 0},
		{"call.messages_per_stream", call.GetMessagesPerStream() > 0},
		{"call.batch", call.GetBatch() > 0},
		{"call.compression", call.GetCompression() != ""},
		{"call.payload", call.GetPayload() != ""},
		{"call.lengths_only", call.GetLengthsOnly()},
		{"call.recipe", call.GetRecipe() != nil},
		{"call.mix", call.GetMix() != nil},
		{"call.message_rate_per_sec", call.GetMessageRatePerSec() != 0},
	} {
		if field.given {
			return control.Faultf("connect."+field.name, "%s has no server, so it can't be set", call.GetKind())
		}
	}
	return nil
}

// checkNoCodec names the first field that only encode and decode have.
func checkNoCodec(call *control.Call) error {
	switch {
	case call.GetMessage() != "":
		return control.Faultf("connect.call.message", "only encode and decode have it, not %s", call.GetKind())
	case call.GetCodec() != "":
		return control.Faultf("connect.call.codec", "only encode and decode have it, not %s", call.GetKind())
	case call.GetSampleNs() != 0:
		return control.Faultf("connect.call.sample_ns", "only encode and decode have it, not %s", call.GetKind())
	}
	return nil
}
