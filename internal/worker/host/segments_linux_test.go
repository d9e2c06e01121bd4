package host

import (
	"net"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// info is what the kernel says of one socket.
func info(t *testing.T, conn net.Conn) *unix.TCPInfo {
	t.Helper()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var info *unix.TCPInfo
	var failure error
	if err := raw.Control(func(fd uintptr) {
		info, failure = unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
	}); err != nil || failure != nil {
		t.Fatal(err, failure)
	}
	return info
}

func TestSegmentsAreThoseOfTheProcesssOpenConnections(t *testing.T) { //nolint:paralleltest // others' sockets would be in
	var meter SegmentMeter
	before, known := meter.Read(os.Getpid())
	if !known {
		t.Skip("the kernel has no sock_diag")
	}
	var want Segments
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			continue // without IPv6
		}
		defer listener.Close()
		client, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		server, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		for range 5 { // each message is answered, so that no acknowledgement is under way
			for _, from := range []net.Conn{client, server} {
				to := map[net.Conn]net.Conn{client: server, server: client}[from]
				if _, err := from.Write([]byte{1}); err != nil {
					t.Fatal(err)
				}
				if _, err := to.Read(make([]byte, 1)); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, conn := range []net.Conn{client, server} {
			i := info(t, conn)
			want.Sockets++
			want.Out, want.In, want.Again = want.Out+int64(i.Segs_out), want.In+int64(i.Segs_in), want.Again+int64(i.Total_retrans)
		}
	}
	after, _ := meter.Read(os.Getpid())
	got := Segments{after.Sockets - before.Sockets, after.Out - before.Out, after.In - before.In, after.Again - before.Again}
	if want.Sockets == 0 || want.Out < 10 || got.Sockets != want.Sockets || got.Again != want.Again {
		t.Fatalf("got %+v, each socket says %+v", got, want)
	}
	// A last acknowledgement may have been delayed until now.
	if got.Out < want.Out || got.Out > want.Out+want.Sockets || got.In < want.In || got.In > want.In+want.Sockets {
		t.Errorf("got %+v, each socket says %+v", got, want)
	}
	if of, known := new(SegmentMeter).Read(1 << 30); known && of != (Segments{}) {
		t.Errorf("a process that is not there has %+v", of)
	}
}

// The kernel's counters have 32 bits.
func TestSegmentsGoOnWhereTheKernelsCountersWrap(t *testing.T) {
	t.Parallel()
	const last = 0xffff_fff0
	var meter SegmentMeter
	before := meter.count(map[uint64]Segments{7: {1, last, 5, last}, 8: {1, 100, last, 0}})
	after := meter.count(map[uint64]Segments{7: {1, 0x10, 6, last}, 8: {1, 100, 0x20, 1}})
	if want := (Segments{2, last + 100, last + 5, last}); before != want {
		t.Errorf("before: %+v, want %+v", before, want)
	}
	if want := (Segments{2, before.Out + 0x20, before.In + 0x31, before.Again + 1}); after != want {
		t.Errorf("after: %+v, want %+v", after, want)
	}
	if got, want := meter.count(map[uint64]Segments{9: {1, 3, 2, 0}}), (Segments{1, 3, 2, 0}); got != want {
		t.Errorf("a new socket after the others: %+v, want %+v", got, want)
	}
}

func TestWhatIsNoAnswerIsNoConnection(t *testing.T) {
	t.Parallel()
	whole := make([]byte, messageBytes+4+8)
	whole[messageBytes], whole[messageBytes+2] = 12, infoAttribute
	whole[messageBytes+4] = 1 // the state, first in a tcp_info; what an old kernel does not have is 0
	if _, info := connection(whole); info == nil || info.State != 1 || info.Segs_out != 0 {
		t.Errorf("got %v", info)
	}
	for n := range whole {
		if _, info := connection(whole[:n]); info != nil {
			t.Errorf("%d bytes are a connection", n)
		}
	}
	whole[messageBytes] = 0 // a length that is none
	if _, info := connection(whole); info != nil {
		t.Error("an attribute without a length is one")
	}
}
