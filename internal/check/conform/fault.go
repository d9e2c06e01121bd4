package conform

import (
	"fmt"
	"strings"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// An unsupported field is a change that makes a good command one that must be refused.
type unsupported[C any] struct {
	field  string
	change func(C)
}

// refuses sends each changed command and expects a Fault that names the field. Then it sends the valid command, which must be
// obeyed: a Fault breaks nothing.
func refuses[C any](cases []unsupported[C], made func() C, send func(C) error) (string, error) {
	for _, u := range cases {
		command := made()
		u.change(command)
		if err := wantFault(send(command), u.field); err != nil {
			return "", err
		}
	}
	if err := send(made()); err != nil {
		return "", fmt.Errorf("after the Faults a good command was not obeyed: %w", err)
	}
	return fmt.Sprintf("%d Faults", len(cases)), nil
}

// wantFault checks that an answer was a Fault about a field, such as "connect.stack". An unknown option may be named
// in the message.
func wantFault(err error, field string) error {
	fault, ok := asFault(err)
	command, _, _ := strings.Cut(field, ".")
	switch {
	case err == nil:
		return fmt.Errorf("%s: it was obeyed, not answered with a Fault", field)
	case !ok:
		return fmt.Errorf("%s: %w", field, err)
	case fault.Message == "":
		return fmt.Errorf("%s: the Fault has no message", field)
	case fault.Field == field:
		return nil
	case field == command+".options" && strings.HasPrefix(fault.Field, command) && strings.Contains(fault.Message, noOption):
		return nil
	}
	return fmt.Errorf("%s: the Fault names %q (%s)", field, fault.Field, fault.Message)
}

// noWord and noOption are unknown to every worker.
const (
	noWord   = "no-such-word"
	noOption = "no_such_option"
)

// connectFaults asks a client for unsupported calls.
func connectFaults(r *rig) (string, error) {
	s := unary(shape{1, 1})
	client, _, err := r.served(&s)
	if err != nil {
		return "", err
	}
	made := func() *control.Connect {
		fresh := unary(s.shape)
		fresh.address = s.address
		return r.connectCommand(fresh)
	}
	return refuses(unsupportedConnects, made, func(c *control.Connect) error {
		_, err := client.Connect(r.ctx, c)
		return err
	})
}

var unsupportedConnects = []unsupported[*control.Connect]{
	{"connect.stack", func(c *control.Connect) { c.Stack = noWord }},
	{"connect.network", func(c *control.Connect) { c.Network = noWord }},
	{"connect.network", func(c *control.Connect) { c.Network = "" }},
	{"connect.addresses", func(c *control.Connect) { c.Addresses = nil }},
	{"connect.security.mode", func(c *control.Connect) { c.Security.Mode = noWord }},
	{"connect.options", func(c *control.Connect) { c.Options = map[string]string{noOption: "1"} }},
	{"connect.call.kind", func(c *control.Connect) { c.Call.Kind = noWord }},
	{"connect.call.compression", func(c *control.Connect) { c.Call.Compression = noWord }},
	{"connect.call.payload", func(c *control.Connect) { c.Call.Payload = noWord }},
	{"connect.call.request_bytes", func(c *control.Connect) { c.Call.RequestBytes = stack.MessageBytesMax + 1 }},
	{"connect.call.response_bytes", func(c *control.Connect) { c.Call.ResponseBytes = stack.MessageBytesMax + 1 }},
	{"connect.call.request_bytes", func(c *control.Connect) {
		c.Call.Kind, c.Call.ResponseBytes = stack.KindFirstCall, 0
	}},
	{"connect.call.response_bytes", func(c *control.Connect) {
		c.Call.Kind, c.Call.RequestBytes = stack.KindFirstCall, 0
	}},
	{"connect.call.messages", func(c *control.Connect) { c.Call.Messages = 2 }},
	{"connect.call.messages_per_stream", func(c *control.Connect) { c.Call.MessagesPerStream = 2 }},
	{"connect.call.message_rate_per_sec", func(c *control.Connect) { c.Call.MessageRatePerSec = 5 }},
	{"connect.call.batch", func(c *control.Connect) { c.Call.Batch = stack.BatchMax + 1 }},
	{"connect.call.batch", func(c *control.Connect) {
		c.Call.Kind, c.Call.RequestBytes, c.Call.ResponseBytes, c.Call.Batch = stack.KindFirstCall, 0, 0, 2
	}},
	{"connect.call.deadline_ns", func(c *control.Connect) { c.Call.DeadlineNs = 0 }},
	{"connect.connections", func(c *control.Connect) { c.Connections = 0 }},
	{"connect.in_flight", func(c *control.Connect) { c.InFlight = 0 }},
	{"connect.streams", func(c *control.Connect) { c.Streams = 1 }},
}

// serveFaults asks a server for unsupported settings.
func serveFaults(r *rig) (string, error) {
	server, err := r.start(r.pair.server.command)
	if err != nil {
		return "", err
	}
	command, err := r.serveCommand(unary(shape{1, 1}))
	if err != nil {
		return "", err
	}
	made := func() *control.Serve {
		return &control.Serve{
			Stack: command.GetStack(), Network: command.GetNetwork(), Address: command.GetAddress(),
			Security: &control.Security{Mode: stack.SecurityPlaintext}, Payload: command.GetPayload(), Seed: command.GetSeed(),
		}
	}
	return refuses(unsupportedServes, made, func(c *control.Serve) error {
		_, err := server.Serve(r.ctx, c)
		return err
	})
}

var unsupportedServes = []unsupported[*control.Serve]{
	{"serve.stack", func(c *control.Serve) { c.Stack = noWord }},
	{"serve.network", func(c *control.Serve) { c.Network = noWord }},
	{"serve.address", func(c *control.Serve) { c.Address = "127.0.0.1:port" }},
	{"serve.security.mode", func(c *control.Serve) { c.Security.Mode = noWord }},
	{"serve.options", func(c *control.Serve) { c.Options = map[string]string{noOption: "1"} }},
	{"serve.payload", func(c *control.Serve) { c.Payload = noWord }},
	{"serve.permissions", func(c *control.Serve) { c.Permissions = &control.Permissions{In: []string{"..."}} }},
}

// beginFaults asks for phases that there can't be, first without a Connect.
func beginFaults(r *rig) (string, error) {
	client, server, err := r.startPair()
	if err != nil {
		return "", err
	}
	send := func(b *control.Begin) error {
		_, err := r.phase(client, b)
		return err
	}
	if err := wantFault(send(closedCalls(1)), "begin"); err != nil {
		return "", fmt.Errorf("without a Connect: %w", err)
	}
	s := unary(shape{1, 1})
	if err := r.serve(server, &s); err != nil {
		return "", err
	}
	if _, err := r.connect(client, s); err != nil {
		return "", err
	}
	return refuses(unsupportedBegins, func() *control.Begin { return closedCalls(1) }, send)
}

var unsupportedBegins = []unsupported[*control.Begin]{
	{"begin.phase", func(b *control.Begin) { b.Phase = 0 }},
	{"begin.duration_ns", func(b *control.Begin) { b.DurationNs = int64(time.Second) }},
	{"begin.duration_ns", func(b *control.Begin) { b.Calls = 0 }},
	{"begin.drain_ns", func(b *control.Begin) { b.DrainNs = -1 }},
	{"begin.delay_ns", func(b *control.Begin) { b.DelayNs = -1 }},
	{"begin.windows", func(b *control.Begin) { b.Windows = 51 }},
	{"begin.load.part", func(b *control.Begin) { b.Load.Part, b.Load.Parts = 2, 2 }},
	{"begin.load.arrivals", func(b *control.Begin) { b.Load.Arrivals = noWord }},
	{"begin.load.per_sec", func(b *control.Begin) { b.Load.PerSec = 5 }},
	{"begin.load.per_sec", func(b *control.Begin) { b.Load.Arrivals = control.LoadPoisson }},
	{"begin.load.per_sec", func(b *control.Begin) { b.Load.Arrivals, b.Load.PerSec = control.LoadConstant, -5 }},
}
