package stacktest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/test/allocated"
)

const (
	hugeSlots = 16
	hugeBytes = 3 << 20
	hugeShare = 100_000
	// maxHuge limits what all calls and the server may allocate: the replies of one of two rounds.
	maxHuge = hugeSlots * hugeBytes
)

// LargeReplies tests that a server whose replies are far too long does not fill the memory of s: concurrent calls of many slots
// are all refused. It measures what the process allocates, so no test may run in parallel. foreign are calls of foreign methods,
// whose replies may have any length.
func LargeReplies(t *testing.T, s stack.Stack, foreign ...stack.Call) {
	t.Helper()
	if shrink > 1 {
		t.Skip("the race detector's allocations would be counted too: make test-go runs it once more without")
	}
	noise := make([]byte, hugeBytes)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise) // which never fails
	own := stack.Call{Kind: stack.KindUnary, Request: text()[:10], ResponseBytes: 20}
	batch := own
	batch.Batch = 2
	calls := map[string]stack.Call{"own": own, "batch": batch}
	for _, call := range foreign {
		calls["foreign "+call.Kind] = call
	}
	for name, call := range calls {
		counted := call.Method != nil && s.Info().Name == "grpc-wire" // what it does not keep may have any length
		if !counted {
			wantRefused(t, s, name, stack.CompressionNone, call, nil)
			wantRefused(t, s, name, stack.CompressionGzip, call, make([]byte, hugeBytes))
		}
		wantRefused(t, s, name, stack.CompressionGzip, call, noise)
	}
}

// wantRefused calls a server whose replies are compressed; nil is uncompressed zeros.
func wantRefused(t *testing.T, s stack.Stack, name, compression string, call stack.Call, reply []byte) {
	t.Helper()
	address := serveLarge(t, reply)
	conn, err := s.Dial(t.Context(), stack.DialConfig{
		Network: stack.NetworkTCP, Address: address, Compression: compression, InFlight: hugeSlots, ReplyShare: hugeShare,
		Dial: new(net.Dialer).DialContext,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	made := callers(t, conn, call, hugeSlots)
	got := allocated.Bytes(func() {
		var calling sync.WaitGroup
		for _, caller := range made {
			calling.Go(func() {
				for range 2 {
					err := caller.Call(t.Context())
					if stack.CodeOf(err) != stack.ResourceExhausted {
						t.Errorf("%s, %s: %v, want RESOURCE_EXHAUSTED", name, compression, err)
					}
					_ = caller.After() // of a call that failed there is nothing to say
				}
			})
		}
		calling.Wait()
	})
	if got > maxHuge {
		t.Errorf("%s, %s: %d bytes were allocated, %d at most", name, compression, got, maxHuge)
	}
}

// serveLarge answers every request with a compressed reply, over HTTP/1.1 and HTTP/2; without a reply, with hugeBytes
// uncompressed ones.
func serveLarge(t *testing.T, reply []byte) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	packer := gzip.NewWriter(&packed)
	_, _ = packer.Write(reply) // a bytes.Buffer takes all
	_ = packer.Close()         // as above
	large := largeServer{isZipped: reply != nil, packed: packed.Bytes(), zeros: make([]byte, 32<<10)}
	server := &http.Server{Handler: large, Protocols: new(http.Protocols)}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	go func() { _ = server.Serve(listener) }() // until it is closed
	t.Cleanup(func() { server.Close() })
	return listener.Addr().String()
}

type largeServer struct {
	isZipped      bool
	packed, zeros []byte
}

// ServeHTTP is http.Handler's.
func (l largeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, header := r.Header.Get("Content-Type"), w.Header()
	header.Set("Content-Type", kind)
	size := hugeBytes
	if l.isZipped {
		size = len(l.packed)
	}
	if strings.HasPrefix(kind, "application/grpc") {
		header.Set("Trailer", "Grpc-Status")
		prefix := make([]byte, 5)
		binary.BigEndian.PutUint32(prefix[1:], uint32(size))
		if l.isZipped {
			header.Set("Grpc-Encoding", "gzip")
			prefix[0] = 1
		}
		_, _ = w.Write(prefix) // a client that has gone says so in what follows
		defer header.Set("Grpc-Status", "0")
	} else if l.isZipped {
		header.Set("Content-Encoding", "gzip")
	}
	if l.isZipped {
		_, _ = w.Write(l.packed) // it is the last
		return
	}
	for sent := 0; sent < hugeBytes; sent += len(l.zeros) {
		if _, err := w.Write(l.zeros); err != nil {
			return
		}
	}
}

// OneMessage is the request of a method that sends no bytes.
type OneMessage struct{}

// Constant is stack.Requests'.
func (OneMessage) Constant() ([]byte, bool) { return nil, true }

// Messages is stack.Requests'.
func (OneMessage) Messages(uint64) int { return 1 }

// Append is stack.Requests'.
func (OneMessage) Append(to []byte, _ uint64, _ int) ([]byte, error) { return to, nil }
