package conform

import (
	"errors"
	"fmt"
	"slices"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// drawnCalls is the number of calls with randomly drawn parts.
const drawnCalls = 50

// drawnCases returns the cases of optional features, if the worker's Hello declares them.
func drawnCases(p pair) []Case {
	var cases []Case
	if p.client.tested && p.client.info.GetSizes() {
		cases = append(cases, Case{Name: "random sizes", run: drawnSizes})
	}
	if p.client.info.GetStores() && p.server.info.GetStores() {
		cases = append(cases, Case{Name: "a store", run: storeAccesses}, Case{Name: "a store refuses", run: storeFaults})
	}
	if p.server.tested {
		cases = append(cases, Case{Name: "several ports", run: severalPorts})
	}
	if p.client.tested {
		cases = append(cases, Case{Name: "idle streams", run: idleStreams})
	}
	return at(StepExtras, cases...)
}

// drawnSizes holds the lengths of each slot's messages to those that the reference draws.
func drawnSizes(r *rig) (string, error) {
	bins := []stack.SizeBin{{Least: 0, Most: 40, Weight: 3}, {Least: 500, Most: 2000, Weight: 1}}
	s := unary(shape{1, 1})
	s.call.RequestBytes, s.call.ResponseBytes = 2000, 2000
	s.call.Sizes = &control.Sizes{Seed: seed, Requests: binsOf(bins), Replies: binsOf(bins[:1])}
	client, _, err := r.both(s)
	if err != nil {
		return "", err
	}
	sizes := stack.NewSizes(seed, bins, 0, bins[:1])
	return r.drawnPhase(client, func() (out, in int64) {
		for m := range uint64(drawnCalls) {
			drawn := sizes.At(0, m)
			out, in = out+int64(drawn.Request), in+int64(drawn.Response)
		}
		return out, in
	})
}

// drawnPhase makes calls, and compares what they carried.
func (r *rig) drawnPhase(client *party, want func() (out, in int64)) (string, error) {
	done, err := r.phase(client, closedCalls(drawnCalls))
	if err != nil {
		return "", err
	}
	if err := wantOutcome(done, "OK", drawnCalls); err != nil {
		return "", err
	}
	if out, in := want(); done.GetPayloadBytesOut() != out || done.GetPayloadBytesIn() != in {
		return "", fmt.Errorf("done.payload_bytes_out is %d and done.payload_bytes_in %d, want %d and %d: other lengths were drawn",
			done.GetPayloadBytesOut(), done.GetPayloadBytesIn(), out, in)
	}
	return fmt.Sprintf("%d B out, %d B in, as drawn", done.GetPayloadBytesOut(), done.GetPayloadBytesIn()), nil
}

func binsOf(bins []stack.SizeBin) []*control.SizeBin {
	var made []*control.SizeBin
	for _, b := range bins {
		made = append(made, &control.SizeBin{Least: uint32(b.Least), Most: uint32(b.Most), Weight: b.Weight})
	}
	return made
}

// Of the store that cases read and write.
const (
	storeRecords = 100
	storeBytes   = 32
	storeBatch   = 7
)

func storeSetup() (setup, stack.Mix) {
	mix := stack.Mix{Records: storeRecords, ReadsPerMillion: 600_000, Theta: 0.99, Zeta: stack.Zeta(storeRecords, 0.99)}
	s := unary(shape{1, 1})
	s.call.RequestBytes, s.call.ResponseBytes, s.call.Batch = storeBytes, storeBytes, storeBatch
	s.call.Accesses = &control.Accesses{
		Seed: seed, Records: mix.Records, ReadsPerMillion: uint32(mix.ReadsPerMillion), ZipfTheta: mix.Theta, ZipfZeta: mix.Zeta,
	}
	return s, mix
}

// storeAccesses reads and writes a store, with the accesses that the reference draws.
func storeAccesses(r *rig) (string, error) {
	s, mix := storeSetup()
	client, err := r.withStore(s, storeRecords)
	if err != nil {
		return "", err
	}
	accesses := stack.NewAccesses(seed, mix, storeBytes)
	return r.drawnPhase(client, func() (out, in int64) {
		for k := range uint64(drawnCalls * storeBatch) {
			if accesses.Of(0, k).Writes {
				out += storeBytes
			} else {
				in += storeBytes
			}
		}
		return out, in
	})
}

// withStore has a server serve with a store, and a client connect to it.
func (r *rig) withStore(s setup, records uint64) (*party, error) {
	client, server, err := r.startPair()
	if err != nil {
		return nil, err
	}
	command, err := r.serveCommand(s)
	if err != nil {
		return nil, err
	}
	if records > 0 {
		command.Store = &control.Store{Records: records, ValueBytes: storeBytes}
	}
	serving, err := server.Serve(r.ctx, command)
	if err != nil {
		return nil, err
	}
	s.address = serving.GetAddress()
	_, err = r.connect(client, s)
	return client, err
}

// storeFaults calls a server with too few records, and one without a store.
func storeFaults(r *rig) (string, error) {
	for _, c := range []struct {
		what    string
		records uint64
		code    stack.Code
	}{{"a store with one record", 1, stack.NotFound}, {"no store", 0, stack.FailedPrecondition}} {
		s, _ := storeSetup()
		client, err := r.withStore(s, c.records)
		if err != nil {
			return "", fmt.Errorf("%s: %w", c.what, err)
		}
		done, err := r.phase(client, closedCalls(3))
		if err != nil {
			return "", fmt.Errorf("%s: %w", c.what, err)
		}
		want := c.code
		if r.pair.client.info.GetProtocol() == stack.ProtocolHTTPJSON {
			want = stack.JSONCode(400) // which is all that HTTP says
		}
		if err := wantOutcome(done, want.String(), 3); err != nil {
			return "", fmt.Errorf("%s: %w", c.what, err)
		}
	}
	return "NOT_FOUND and FAILED_PRECONDITION", nil
}

// severalPorts serves on three ports of one process, and calls all of them.
func severalPorts(r *rig) (string, error) {
	s := unary(shape{3, 1})
	client, server, err := r.startPair()
	if err != nil {
		return "", err
	}
	if !server.Hello.GetPorts() {
		return "hello.ports is false", nil
	}
	serve, err := r.serveCommand(s)
	if err != nil {
		return "", err
	}
	serve.Ports = 3
	serving, err := server.Serve(r.ctx, serve)
	if err != nil {
		return "", err
	}
	addresses := append([]string{serving.GetAddress()}, serving.GetMoreAddresses()...)
	if distinct := slices.Compact(slices.Sorted(slices.Values(addresses))); len(distinct) != 3 {
		return "", fmt.Errorf("serving has the addresses %v, want 3", addresses)
	}
	connect := r.connectCommand(s)
	connect.Addresses = addresses
	if _, err := client.Connect(r.ctx, connect); err != nil {
		return "", err
	}
	done, err := r.phase(client, closedCalls(drawnCalls))
	if err != nil {
		return "", err
	}
	if err := wantOutcome(done, "OK", drawnCalls); err != nil {
		return "", err
	}
	mark, err := server.Mark(r.ctx)
	if err == nil && mark.GetSockets() != 3 {
		err = fmt.Errorf("%d sockets were accepted, want 3", mark.GetSockets())
	}
	return "3 ports, 3 sockets", err
}

// idleStreams holds streams open next to calls: they use no further sockets, and their messages are not counted.
func idleStreams(r *rig) (string, error) {
	s := unary(shape{1, 2})
	client, _, err := r.served(&s)
	if err != nil {
		return "", err
	}
	if !client.Hello.GetIdleStreams() {
		return "hello.idle_streams is false", nil
	}
	connect := r.connectCommand(s)
	connect.IdleStreams = 20
	_, err = client.Connect(r.ctx, connect)
	info := r.pair.client.info
	if !info.GetMultiplexed() || !slices.Contains(info.GetKinds(), stack.KindPingPong) {
		return "refused, as it must be without multiplexing", wantFault(err, "connect.idle_streams")
	}
	if err != nil {
		return "", err
	}
	done, err := r.phase(client, closedCalls(drawnCalls))
	if err != nil {
		return "", err
	}
	if err := wantOutcome(done, "OK", drawnCalls); err != nil {
		return "", err
	}
	if done.GetMessagesOut() != drawnCalls {
		return "", fmt.Errorf("done.messages_out is %d, want %d: idle streams carry none", done.GetMessagesOut(), drawnCalls)
	}
	mark, err := client.Mark(r.ctx)
	switch {
	case err != nil:
		return "", err
	case mark.GetSockets() != 1:
		return "", fmt.Errorf("%d sockets were opened, want 1", mark.GetSockets())
	case mark.BytesOut != nil && mark.GetBytesOut() < 20*int64(s.call.GetRequestBytes()):
		return "", errors.New("fewer bytes were sent than the idle streams' messages have")
	}
	return "20 idle, beside 2 busy", nil
}
