package conform

import (
	"bytes"
	"encoding/base64"
	"fmt"

	"rpcbench/internal/stack"
)

// Lengths of payloads that fit into one frame of any protocol, and differ from what is easily taken for one.
const (
	requestBytes = 333
	replyBytes   = 444
)

// payloadCases look at the bytes on the wire.
func payloadCases(pair) []Case {
	var cases []Case
	for _, kind := range []string{stack.PayloadRandom, stack.PayloadJSON, stack.PayloadZeros} {
		cases = append(cases, Case{Name: "payload, " + kind, run: func(r *rig) (string, error) { return r.onTheWire(kind) }})
	}
	return at(StepServer, cases...)
}

// onTheWire records what client and server say. A request carries Payload(kind, the client's seed); a reply of another
// length Payload(kind, the server's), and a reply of the same length the request's own bytes, whatever the server's seed.
func (r *rig) onTheWire(kind string) (string, error) {
	request := stack.Payload(kind, seed, requestBytes)
	s := unary(shape{1, 1})
	s.call.Payload, s.call.RequestBytes, s.call.ResponseBytes = kind, requestBytes, replyBytes
	if err := r.compare(s, request, stack.Payload(kind, seed, replyBytes)); err != nil {
		return "", fmt.Errorf("a reply of another length: %w", err)
	}
	s.call.ResponseBytes, s.serverSeed = requestBytes, seed+1
	if err := r.compare(s, request, request); err != nil {
		return "", fmt.Errorf("a reply as long as the request: %w", err)
	}
	return fmt.Sprintf("%d B out, %d B and the request itself back", requestBytes, replyBytes), nil
}

// compare makes calls through a recorder and looks for the payloads.
func (r *rig) compare(s setup, request, reply []byte) error {
	client, _, err := r.served(&s)
	if err != nil {
		return err
	}
	wire, err := listen(s.address)
	if err != nil {
		return err
	}
	defer wire.close()
	s.address = wire.address()
	if _, err := r.connect(client, s); err != nil {
		return err
	}
	const calls = 3
	done, err := r.phase(client, closedCalls(calls))
	if err != nil {
		return err
	}
	if err := wantOutcome(done, "OK", calls); err != nil {
		return err
	}
	out, in := wire.recorded()
	if err := contains("the client's", out, request, calls); err != nil {
		return err
	}
	return contains("the server's", in, reply, calls)
}

// contains checks that a payload was sent once for every call, raw or in base64.
func contains(whose string, wire, payload []byte, calls int) error {
	wire = bytes.ReplaceAll(wire, []byte(`\/`), []byte(`/`)) // as some write a slash in JSON
	raw := bytes.Count(wire, payload)
	coded := bytes.Count(wire, []byte(base64.StdEncoding.EncodeToString(payload)))
	if raw >= calls || coded >= calls {
		return nil
	}
	return fmt.Errorf("in %s %d bytes the %d of the payload are found %d times, want %d",
		whose, len(wire), len(payload), max(raw, coded), calls)
}

// mismatch gives client and server different seeds: the client must see that every reply is wrong, unless it is told
// to look at lengths only.
func mismatch(r *rig) (string, error) {
	s := unary(shape{1, 2})
	s.call.RequestBytes, s.call.ResponseBytes, s.serverSeed = requestBytes, replyBytes, seed+1
	server, err := r.start(r.pair.server.command)
	if err != nil {
		return "", fmt.Errorf("server: %w", err)
	}
	if err := r.serve(server, &s); err != nil {
		return "", err
	}
	for _, batch := range []uint32{0, 7} {
		for _, lengthsOnly := range []bool{false, true} {
			s.call.Batch, s.call.LengthsOnly = batch, lengthsOnly
			if err := r.mismatched(s); err != nil {
				return "", fmt.Errorf("batch %d, lengths_only %v: %w", batch, lengthsOnly, err)
			}
		}
	}
	return fmt.Sprintf("%d MISMATCH; none with lengths_only", mismatchCalls), nil
}

const mismatchCalls = 8

// mismatched has a client call the server at s.address.
func (r *rig) mismatched(s setup) error {
	client, err := r.start(r.pair.client.command)
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	if _, err := r.connect(client, s); err != nil {
		return err
	}
	done, err := r.phase(client, closedCalls(mismatchCalls))
	if err != nil {
		return err
	}
	if s.call.GetLengthsOnly() {
		return wantOutcome(done, "OK", mismatchCalls)
	}
	return wantErrors(done, stack.Mismatch.String(), mismatchCalls)
}
