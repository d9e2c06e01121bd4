package control_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/test/allocated"
	"rpcbench/internal/worker/control"
)

// FuzzReadCommand: no bytes make the reader panic or go on forever, and a command that was read is written and read
// again as the same.
func FuzzReadCommand(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0})
	f.Add([]byte("\x20half"))
	f.Add(bytes.Repeat([]byte{0xff}, 11))
	f.Add([]byte("\x20\x0a\x1ehalf"))
	f.Add([]byte{0x80, 0x80, 0x80, 0x40, 0x0a, 0xfc, 0xff, 0xff, 0x3f})      // 128 MB are to come
	f.Add([]byte{2, 0x22, 0, 2, 0x2a, 0})                                    // Mark, Stop
	f.Add([]byte{6, 0x0a, 4, 0x0a, 2, 'g', 'o', 3, 0xc2, 0x3e, 0})           // Serve{stack: "go"}, and a field of the future
	f.Add([]byte{10, 0x12, 8, 0x32, 6, 0x0a, 4, 'j', 'o', 'i', 'n', 0, 255}) // Connect with a call
	f.Fuzz(func(t *testing.T, data []byte) {
		allocated.AtMost(t, 1<<20+200*uint64(len(data)), func() {
			reader := control.NewCommandReader(bytes.NewReader(data))
			for err := error(nil); err == nil; {
				_, err = reader.Read()
			}
		})
		reader := control.NewCommandReader(bytes.NewReader(data))
		for n := 0; ; n++ {
			command, err := reader.Read()
			if err != nil {
				return
			}
			if n > len(data) {
				t.Fatalf("%d commands in %d bytes", n, len(data))
			}
			var again bytes.Buffer
			if _, err := protodelim.MarshalTo(&again, command); err != nil {
				t.Fatal(err)
			}
			read, err := control.NewCommandReader(&again).Read()
			if err != nil || !proto.Equal(command, read) {
				t.Fatalf("%v was read again as %v, %v", command, read, err)
			}
		}
	})
}

// FuzzSession checks that the driver ends with an error, whatever a worker sends.
func FuzzSession(f *testing.F) {
	said := func(messages ...any) []byte {
		var out bytes.Buffer
		events := control.NewEventWriter(&out)
		for _, m := range messages {
			if err := events.Write(m); err != nil {
				f.Fatal(err)
			}
		}
		return out.Bytes()
	}
	f.Add([]byte("Picked up JAVA_TOOL_OPTIONS"))
	f.Add(said(hello))
	f.Add(said(hello, &control.Snapshot{TimeNs: 1}, &control.Fault{Message: "no"}, &control.Snapshot{}))
	f.Add(said(hello, &control.Interval{Ok: 5}, &control.Done{Arrivals: 5}))
	f.Add(said(&control.Hello{Protocol: 2}))
	f.Add(append(said(hello), 0x20, 'c', 'u', 't'))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := control.Open(t.Context(), io.Discard, bytes.NewReader(data))
		for n := 0; ; n++ {
			var fault *control.FaultError
			if err != nil && !errors.As(err, &fault) && over(err) {
				return
			}
			if n > len(data)+1 {
				t.Fatalf("%d answers in %d bytes", n, len(data))
			}
			_, err = s.Mark(t.Context())
		}
	})
}

// over reports whether the conversation has broken off.
func over(err error) bool {
	return strings.Contains(err.Error(), "the worker ended") ||
		strings.Contains(err.Error(), "the worker's output can't be read")
}
