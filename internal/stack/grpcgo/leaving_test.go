package grpcgo_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/test/sockettest"
)

// The library would be idle until there is a call, and a client wait for it until its patience is over.
func TestAServerThatLeavesAtOnceIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	const settings = "\x00\x00\x00\x04\x00\x00\x00\x00\x00"
	for name, says := range map[string]string{
		"GOAWAY":  settings + "\x00\x00\x08\x07\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00",
		"nothing": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := sockettest.Serve(t, func(conn net.Conn) {
				_, _ = io.ReadFull(conn, make([]byte, 24)) // the preface
				_, _ = io.WriteString(conn, says)
				if says != "" {
					_, _ = io.Copy(io.Discard, conn)
				}
				conn.Close()
			})
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // which only a hang takes
			defer cancel()
			for range 20 {
				conn, err := grpcgo.New().Dial(ctx, stack.DialConfig{
					Network: stack.NetworkTCP, Address: address, Compression: stack.CompressionNone, InFlight: 1,
					Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
						return new(net.Dialer).DialContext(ctx, network, address)
					},
				})
				switch {
				case err == nil:
					conn.Close() // it was ready for a moment
				case stack.CodeOf(err) != stack.Unavailable || strings.Contains(err.Error(), "deadline"):
					t.Errorf("%v", err)
				}
			}
		})
	}
}
