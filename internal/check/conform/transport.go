package conform

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/patience"
)

// transportCases run every kind over plain TCP, and unary over the other transports.
func transportCases(p pair) []Case {
	return slices.Concat(at(StepClosedLoop, unaryCase(p)...), at(StepKinds, kindCases(p)...), at(StepNetworks, networkCases(p)...))
}

// counts is the case of a set-up whose calls are counted on both sides.
func counts(name string, s setup) Case {
	return Case{Name: name, run: func(r *rig) (string, error) { return r.counted(s) }}
}

// unaryCase is the kind that a worker begins with.
func unaryCase(p pair) []Case {
	if !slices.Contains(p.kinds, stack.KindUnary) {
		return nil
	}
	return []Case{counts(stack.KindUnary, ofKind(stack.KindUnary))}
}

func kindCases(p pair) []Case {
	var cases []Case
	for _, kind := range p.kinds {
		if kind != stack.KindUnary {
			cases = append(cases, counts(kind, ofKind(kind)))
		}
	}
	if slices.Contains(p.kinds, stack.KindPingPong) {
		s := ofKind(stack.KindPingPong)
		s.streams, s.call.MessagesPerStream = s.inFlight, 7
		cases = append(cases, counts("ping_pong, 7 messages per stream", s))
	}
	for _, kind := range p.kinds {
		if stack.IsBatchKind(kind) {
			for _, batch := range []uint32{1, 7, 1000} {
				cases = append(cases, counts(fmt.Sprintf("%s, batch %d", kind, batch), ofBatch(kind, batch)))
			}
		}
	}
	if slices.Contains(p.kinds, stack.KindBurst) {
		cases = append(cases, Case{Name: "a burst longer than windows", run: longBurst})
	}
	return cases
}

func networkCases(p pair) []Case {
	var cases []Case
	if slices.Contains(p.networks, stack.NetworkUnix) {
		s := ofKind(stack.KindUnary)
		s.network = stack.NetworkUnix
		cases = append(cases, counts("unary, unix", s))
	}
	cases = append(cases, websocketCases(p)...)
	cases = append(cases, inprocCases(p)...)
	if slices.Contains(p.compressions, stack.CompressionGzip) {
		s := ofKind(stack.KindUnary)
		s.call.Compression, s.call.Payload, s.call.RequestBytes = stack.CompressionGzip, stack.PayloadJSON, 20_000
		s.call.ResponseBytes = 20_000
		cases = append(cases, counts("unary, gzip", s))
	}
	for _, mode := range []string{stack.SecurityTLS, stack.SecurityMTLS} {
		if slices.Contains(p.securities, mode) {
			s := ofKind(stack.KindUnary)
			s.security = mode
			cases = append(cases, Case{Name: "unary, " + mode, run: func(r *rig) (string, error) { return r.secured(s) }})
		}
	}
	return cases
}

// ofKind sets up a call of a kind with numbers that differ, so none can be mistaken for another.
func ofKind(kind string) setup {
	s := plain(kind, shape{2, 3})
	switch kind {
	case stack.KindConnect, stack.KindFirstCall:
		return s
	case stack.KindStream, stack.KindUpload, stack.KindDownload, stack.KindBothWays:
		s.call.Messages = 5
	case stack.KindPingPong:
		s.streams = 2
	case stack.KindBurst:
		s.call.Messages, s.streams = 5, 2
	}
	s.call.RequestBytes, s.call.ResponseBytes = 1000, 700
	return s
}

// ofBatch sets up a call of a kind whose messages have operations, with answers of another length and of the same.
func ofBatch(kind string, batch uint32) setup {
	s := ofKind(kind)
	s.call.Batch, s.call.RequestBytes, s.call.ResponseBytes = batch, 8, 8
	if batch == 7 {
		s.call.ResponseBytes = 13
	}
	return s
}

// longBurst sends more at once than flow-control windows and socket buffers hold, so it hangs if a server answers before it has
// everything while the client sends everything before it reads.
func longBurst(r *rig) (string, error) {
	s := plain(stack.KindBurst, shape{1, 1})
	s.streams = 1
	s.call.Messages, s.call.RequestBytes, s.call.ResponseBytes = 160, 100_000, 100_000
	client, _, err := r.both(s)
	if err != nil {
		return "", err
	}
	const calls = 3
	done, err := r.phase(client, closedCalls(calls))
	if err != nil {
		return "", err
	}
	bytes := s.call.GetMessages() * s.call.GetRequestBytes()
	return fmt.Sprintf("%d bursts of %d bytes", calls, bytes), wantOutcome(done, "OK", calls)
}

// countedCalls is the number of calls of a case whose counts must be exact.
const countedCalls = 60

// counted makes calls and checks everything that is counted about them.
func (r *rig) counted(s setup) (string, error) {
	client, server, err := r.served(&s)
	if err != nil {
		return "", err
	}
	return r.countedBetween(client, server, s)
}

// countedBetween is counted, of a client and a server at s.address that have made no calls.
func (r *rig) countedBetween(client, server *party, s setup) (string, error) {
	connected, err := r.connect(client, s)
	if err != nil {
		return "", err
	}
	done, err := r.phase(client, closedCalls(countedCalls))
	if err != nil {
		return "", err
	}
	if err := checkCounts(done, s); err != nil {
		return "", err
	}
	if err := checkFirst(done, s); err != nil {
		return "", err
	}
	clientMark, serverMark, err := r.settled(s, client, server)
	if err != nil {
		return "", err
	}
	if err := checkSockets(s, r.pair.client.info, connected, clientMark, serverMark); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d calls, %d sockets, %s", countedCalls, clientMark.GetSockets(), wireText(clientMark)),
		checkWire(s, done, clientMark, serverMark)
}

func wireText(m *control.Snapshot) string {
	if m.BytesOut == nil || m.BytesIn == nil {
		return "bytes not counted"
	}
	return fmt.Sprintf("%d B out, %d B in", m.GetBytesOut(), m.GetBytesIn())
}

func checkCounts(done *control.Done, s setup) error {
	if err := wantOutcome(done, "OK", countedCalls); err != nil {
		return err
	}
	out, in := stack.MessagesOf(s.call.GetKind(), int64(s.call.GetMessages()))
	payloads := int64(max(1, s.call.GetBatch())) // of a message
	for _, count := range []struct {
		field     string
		got, want int64
	}{
		{"messages_out", done.GetMessagesOut(), countedCalls * out},
		{"messages_in", done.GetMessagesIn(), countedCalls * in},
		{"payload_bytes_out", done.GetPayloadBytesOut(), countedCalls * out * payloads * int64(s.call.GetRequestBytes())},
		{"payload_bytes_in", done.GetPayloadBytesIn(), countedCalls * in * payloads * int64(s.call.GetResponseBytes())},
		{"clamped", done.GetClamped(), 0},
	} {
		if count.got != count.want {
			return fmt.Errorf("done.%s is %d, want %d", count.field, count.got, count.want)
		}
	}
	if done.GetElapsedNs() <= 0 {
		return fmt.Errorf("done.elapsed_ns is %d", done.GetElapsedNs())
	}
	return nil
}

// checkFirst checks the parts of the first call, unless that is what is measured.
func checkFirst(done *control.Done, s setup) error {
	first := done.GetFirst()
	switch {
	case opensByCall(s) && first != nil:
		return fmt.Errorf("done.first is %v, want none for %s", first, s.call.GetKind())
	case !opensByCall(s) && first.GetCallNs() <= 0: // of the other parts a worker may know none
		return fmt.Errorf("done.first.call_ns is %d", first.GetCallNs())
	case s.security == stack.SecurityPlaintext && first.GetTlsNs() != 0:
		return fmt.Errorf("done.first.tls_ns is %d without TLS", first.GetTlsNs())
	}
	return nil
}

// opensByCall reports whether calls open connections themselves.
func opensByCall(s setup) bool {
	return s.call.GetKind() == stack.KindConnect || s.call.GetKind() == stack.KindFirstCall
}

// checkSockets checks that no connection was opened that was not asked for.
func checkSockets(
	s setup, info *control.StackInfo, connected *control.Connected, client, server *control.Snapshot,
) error {
	least, most, err := checkOpened(s, info, client)
	if err != nil {
		return err
	}
	if server.GetSockets() != client.GetSockets() {
		return fmt.Errorf("the client opened %d sockets, the server accepted %d", client.GetSockets(), server.GetSockets())
	}
	switch {
	case opensByCall(s):
		least, most = 0, 0
	case !slices.Contains(info.GetKinds(), stack.KindConnect):
		least = 0 // its first call may be what connects
	}
	if got := int64(connected.GetSockets()); got < least || got > most {
		return fmt.Errorf("connected.sockets is %d, want %s", got, between(least, most))
	}
	return nil
}

// pooledMost is how many sockets a pool of them may open for the counted calls: half as many as one that reuses none. It may
// replace some: net/http drops a socket of which it doesn't learn within 50 ms that the request was written, which takes a busy
// machine only.
const pooledMost = countedCalls / 2

// checkOpened checks how many sockets the client opened for the counted calls, and returns the bounds of how many it may have at
// once.
func checkOpened(s setup, info *control.StackInfo, client *control.Snapshot) (least, most int64, err error) {
	least, most = int64(s.connections), int64(s.connections)
	pooled := most
	switch {
	case opensByCall(s):
		least, most, pooled = countedCalls, countedCalls, countedCalls
	case !info.GetMultiplexed():
		most = s.slots()
		pooled = max(most, pooledMost)
	}
	if client.GetSockets() < least || client.GetSockets() > pooled {
		err = fmt.Errorf("the client opened %d sockets, expected %s", client.GetSockets(), between(least, pooled))
	}
	return least, most, err
}

func between(least, most int64) string {
	if least == most {
		return strconv.FormatInt(least, 10)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// settled marks both sides once all that one has sent has reached the other, the answers to HTTP/2 pings and the like too,
// and every socket is accepted. Where that does not come to be it is not said here.
func (r *rig) settled(s setup, client, server *party) (clientMark, serverMark *control.Snapshot, err error) {
	for begun := time.Now(); ; {
		if clientMark, err = client.Mark(r.ctx); err != nil {
			return nil, nil, fmt.Errorf("client: %w", err)
		}
		if serverMark, err = server.Mark(r.ctx); err != nil {
			return nil, nil, fmt.Errorf("server: %w", err)
		}
		settled := wireAgrees(s, clientMark, serverMark) == nil && clientMark.GetSockets() == serverMark.GetSockets()
		if settled || time.Since(begun) > r.patience {
			return clientMark, serverMark, nil
		}
		if err := patience.Pause(r.ctx, 10*time.Millisecond); err != nil {
			return nil, nil, err
		}
	}
}

// missing returns how many bytes the client sent and the server did not receive, and the other way round; 0 where one
// of the two is unknown.
func missing(client, server *control.Snapshot) (out, in int64) {
	if client.BytesOut != nil && server.BytesIn != nil {
		out = client.GetBytesOut() - server.GetBytesIn()
	}
	if client.BytesIn != nil && server.BytesOut != nil {
		in = server.GetBytesOut() - client.GetBytesIn()
	}
	return out, in
}

// farewellBytesMax limits what a socket that one side closes may carry unread: the last frames of TLS and HTTP/2.
const farewellBytesMax = 256

// wireAgrees checks that both sides count the same bytes on the wire.
func wireAgrees(s setup, client, server *control.Snapshot) error {
	var tolerance int64
	if opensByCall(s) {
		tolerance = farewellBytesMax * client.GetSockets()
	}
	out, in := missing(client, server)
	if max(out, -out) > tolerance {
		return fmt.Errorf("the client sent %d bytes, the server received %d", client.GetBytesOut(), server.GetBytesIn())
	}
	if max(in, -in) > tolerance {
		return fmt.Errorf("the server sent %d bytes, the client received %d", server.GetBytesOut(), client.GetBytesIn())
	}
	return nil
}

// checkWire checks bytes on the wire: both sides count the same, and at least the payload.
func checkWire(s setup, done *control.Done, client, server *control.Snapshot) error {
	if err := wireAgrees(s, client, server); err != nil {
		return err
	}
	for _, mark := range []*control.Snapshot{client, server} {
		if err := checkPayloadOnWire(s, done, mark); err != nil {
			return err
		}
	}
	return nil
}

func checkPayloadOnWire(s setup, done *control.Done, mark *control.Snapshot) error {
	if mark.BytesOut == nil || mark.BytesIn == nil {
		return nil
	}
	wire := mark.GetBytesOut() + mark.GetBytesIn()
	payload := done.GetPayloadBytesOut() + done.GetPayloadBytesIn()
	switch {
	case s.call.GetKind() != stack.KindConnect && (mark.GetBytesOut() == 0 || mark.GetBytesIn() == 0):
		return errors.New("bytes are 0 after calls; unknown ones must be absent")
	case s.call.GetCompression() == stack.CompressionNone && wire < payload:
		return fmt.Errorf("%d bytes on the wire can't carry %d of payload", wire, payload)
	case s.call.GetCompression() == stack.CompressionGzip && wire > payload/2:
		return fmt.Errorf("%d bytes on the wire carry %d of text: they are not compressed", wire, payload)
	}
	return nil
}
