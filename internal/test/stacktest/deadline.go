package stacktest

import (
	"context"
	"net"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"rpcbench/internal/stack"
)

// sentDeadline tests the option that sends deadlines to the server, with a server that only reads headers.
func sentDeadline(t *testing.T, s stack.Stack) {
	if !slices.ContainsFunc(s.Info().Options, func(o stack.Option) bool { return o.Name == stack.SendDeadline.Name }) {
		t.Skip("there is no such option")
	}
	const deadline = 90 * time.Second
	sent := map[string]http.Header{} // by kind, and whether the option is set
	for _, kind := range []string{stack.KindUnary, stack.KindUpload, stack.KindPingPong} {
		for _, value := range []string{"", "false", "true"} {
			call := stack.Call{Kind: kind, Deadline: deadline}
			if stack.HasMessages(kind) {
				call.Messages = messages
			}
			if stack.SharesStreams(kind) {
				call.Streams = 1
			}
			sent[kind+" "+value] = headerOf(t, s, call, value)
		}
	}
	for what, header := range sent {
		left, said := timeoutIn(t, header)
		wants := what == stack.KindUnary+" true" || what == stack.KindUpload+" true"
		if said != wants || said && (left <= 0 || left > deadline) {
			t.Errorf("%s: sent %v, a deadline: %t", what, left, said)
		}
	}
}

// headerOf makes a call and returns the header that it sends.
func headerOf(t *testing.T, s stack.Stack, call stack.Call, option string) http.Header {
	t.Helper()
	came := make(chan http.Header, 1)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came <- r.Header
		w.WriteHeader(http.StatusNotFound)
	})}
	server.Protocols = new(http.Protocols)
	server.Protocols.SetUnencryptedHTTP2(true)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })

	config := stack.DialConfig{
		Network: stack.NetworkTCP, Address: listener.Addr().String(), Compression: stack.CompressionNone, InFlight: 1,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}
	if option != "" {
		config.Options = map[string]string{stack.SendDeadline.Name: option}
	}
	conn, err := s.Dial(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := callers(t, conn, call, 1)[0].Call(t.Context()); stack.CodeOf(err) == stack.OK {
		t.Errorf("a 404 is OK")
	}
	return <-came
}

// timeoutIn reads the deadline from the headers of gRPC or Connect.
func timeoutIn(t *testing.T, header http.Header) (left time.Duration, said bool) {
	t.Helper()
	number, unit := header.Get("Connect-Timeout-Ms"), time.Millisecond
	if text := header.Get("Grpc-Timeout"); text != "" {
		number, unit = text[:len(text)-1], map[byte]time.Duration{
			'n': time.Nanosecond, 'u': time.Microsecond, 'm': time.Millisecond, 'S': time.Second, 'M': time.Minute, 'H': time.Hour,
		}[text[len(text)-1]]
	}
	if number == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(n) * unit, true
}
