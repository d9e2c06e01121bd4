package conform

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

const (
	codingSample = 2 * time.Millisecond // that the operations of a call should take
	codingCalls  = 3
)

// newCoding returns the pair for a stack that encodes and decodes: it has only a client. The reference's codec stack takes the
// place of the server.
func newCoding(config Config, info *control.StackInfo, reference *control.Hello) pair {
	p := pair{name: info.GetName(), client: side{config.Command, info, true}}
	p.server = side{config.Reference, counterpart(reference, stack.ProtocolCodec, (*control.StackInfo).GetCalls), false}
	return p
}

// codingCases are about a stack that encodes and decodes.
func codingCases(p pair) []Case {
	cases := at(StepClosedLoop, Case{Name: "connect refuses", run: codingFaults})
	for _, codec := range p.client.info.GetCodecs() {
		cases = append(cases, at(StepKinds, Case{Name: codec, run: func(r *rig) (string, error) { return r.coded(codec) }})...)
	}
	for i := range cases {
		cases[i].Name, cases[i].pair = p.name+" "+cases[i].Name, p
	}
	return cases
}

// connectCodec is the Connect of a side of the pair; it has nothing that only a call with a server has.
func (s side) connectCodec(kind, message, codec string) *control.Connect {
	return &control.Connect{
		Stack: s.info.GetName(), Connections: 1, InFlight: 1,
		Call: &control.Call{
			Kind: kind, Message: message, Codec: codec, Seed: seed, SampleNs: int64(codingSample),
			DeadlineNs: int64(caseLimit),
		},
	}
}

// coded encodes or decodes every message with a codec: the Calibration of Connect must be sound, and every call OK.
func (r *rig) coded(codec string) (string, error) {
	var encoded uint64
	for i, message := range r.pair.client.info.GetMessages() {
		kinds := r.pair.client.info.GetKinds()
		found, err := r.codedOnce(kinds[i%len(kinds)], message, codec)
		if err != nil {
			return "", fmt.Errorf("%s: %w", message, err)
		}
		if err := r.checkLength(message, codec, found); err != nil {
			return "", fmt.Errorf("%s: %w", message, err)
		}
		encoded += found.GetEncodedBytes()
	}
	return fmt.Sprintf("%d messages, %d B in all", len(r.pair.client.info.GetMessages()), encoded), nil
}

func (r *rig) codedOnce(kind, message, codec string) (*control.Codec, error) {
	c, err := r.start(r.pair.client.command)
	if err != nil {
		return nil, err
	}
	defer c.close()
	connected, err := c.Connect(r.ctx, r.pair.client.connectCodec(kind, message, codec))
	if err != nil {
		return nil, c.explain(err)
	}
	found := connected.GetCodec()
	switch {
	case connected.GetSockets() != 0:
		return nil, fmt.Errorf("connected.sockets is %d, but a codec has no connection", connected.GetSockets())
	case found.GetRepeat() == 0:
		return nil, errors.New("connected.codec.repeat is 0")
	case found.GetEncodedBytes() == 0 || found.GetGzippedBytes() == 0:
		return nil, fmt.Errorf("connected.codec is %v", found)
	}
	done, err := r.phase(c, closedCalls(codingCalls))
	if err != nil {
		return nil, err
	}
	return found, wantOutcome(done, stack.OK.String(), codingCalls)
}

// protobufCodec is the codec of every language that writes a message as protobuf; others that do begin so.
const protobufCodec = "protobuf"

// checkLength compares a message's length in protobuf with the reference's, for the same message and seed.
func (r *rig) checkLength(message, codec string, found *control.Codec) error {
	other := r.pair.server
	if !strings.HasPrefix(codec, protobufCodec) || strings.Contains(codec, "json") || other.info == nil ||
		!slices.Contains(other.info.GetCodecs(), protobufCodec) || !slices.Contains(other.info.GetMessages(), message) {
		return nil
	}
	c, err := r.start(other.command)
	if err != nil {
		return err
	}
	defer c.close()
	connected, err := c.Connect(r.ctx, other.connectCodec(stack.KindEncode, message, protobufCodec))
	if err != nil {
		return fmt.Errorf("the reference: %w", err)
	}
	if want := connected.GetCodec().GetEncodedBytes(); found.GetEncodedBytes() != want {
		return fmt.Errorf("connected.codec.encoded_bytes is %d, want %d", found.GetEncodedBytes(), want)
	}
	return nil
}

// codingFaults asks a client for unsupported encodings.
func codingFaults(r *rig) (string, error) {
	c, err := r.start(r.pair.client.command)
	if err != nil {
		return "", err
	}
	info := r.pair.client.info
	made := func() *control.Connect {
		return r.pair.client.connectCodec(info.GetKinds()[0], info.GetMessages()[0], info.GetCodecs()[0])
	}
	return refuses(unsupportedCodings, made, func(connect *control.Connect) error {
		_, err := c.Connect(r.ctx, connect)
		return err
	})
}

var unsupportedCodings = []unsupported[*control.Connect]{
	{"connect.stack", func(c *control.Connect) { c.Stack = noWord }},
	{"connect.options", func(c *control.Connect) { c.Options = map[string]string{noOption: "1"} }},
	{"connect.call.message", func(c *control.Connect) { c.Call.Message = noWord }},
	{"connect.call.codec", func(c *control.Connect) { c.Call.Codec = noWord }},
	{"connect.call.sample_ns", func(c *control.Connect) { c.Call.SampleNs = 0 }},
	{"connect.call.request_bytes", func(c *control.Connect) { c.Call.RequestBytes = 1 }},
	{"connect.addresses", func(c *control.Connect) { c.Addresses = []string{"127.0.0.1:1"} }},
	{"connect.connections", func(c *control.Connect) { c.Connections = 2 }},
	{"connect.in_flight", func(c *control.Connect) { c.InFlight = 2 }},
}
