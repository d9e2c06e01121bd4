package host

import (
	"slices"
	"testing"
)

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 10 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000     0        0 11 1 0000000000000000 100 0 0 10 0
   2: 0100007F:C001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0000000000000000 100 0 0 10 0
   3: 0100007F:1F90 0100007F:C002 06 00000000:00000000 00:00000000 00000000     0        0 0 1 0000000000000000 100 0 0 10 0
   4: 0100007F:1F90 0100007F:C003 01 00000000:00000000 00:00000000 00000000     0        0 13 1 0000000000000000 100 0 0 10 0
   5: 0100007F:D000 0100007F:1F91 01 00000000:00000000 00:00000000 00000000     0        0 14 1 0000000000000000 100 0 0 10 0
 short
`

// What it calls itself, as a database, what somebody else has, and what is closing is not counted.
func TestConnectionsOnOwnPortsAreAccepted(t *testing.T) {
	t.Parallel()
	all := endpoints([]byte(table))
	if len(all) != 6 {
		t.Fatalf("%d endpoints: %+v", len(all), all)
	}
	if got := accepted(all, map[uint64]bool{10: true, 11: true, 13: true, 14: true}); !slices.Equal(got, []uint64{11, 13}) {
		t.Errorf("accepted %v", got)
	}
	if got := accepted(all, map[uint64]bool{12: true}); len(got) != 0 {
		t.Errorf("a client accepted %v", got)
	}
}

func TestListenersAreToldFromConnections(t *testing.T) {
	t.Parallel()
	all := endpoints([]byte(table))
	const unix = `Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 20 /tmp/s
0000000000000000: 00000003 00000000 00000000 0001 03 21 /tmp/s
0000000000000000: 00000003 00000000 00000000 0001 03 22
 short
`
	for _, c := range []struct {
		own       uint64
		port      int
		tcp, unix bool
	}{
		{10, 0x1F90, true, false}, {10, 0x1F91, false, false}, {11, 0x1F90, false, false}, {20, 0x1F90, false, true},
		{21, 0x1F90, false, false}, {22, 0x1F90, false, false},
	} {
		own := map[uint64]bool{c.own: true}
		if tcp, local := listensTCP(all, own, c.port), listensUnix([]byte(unix), own); tcp != c.tcp || local != c.unix {
			t.Errorf("socket %d: on port %#x %v, on a Unix socket %v; want %+v", c.own, c.port, tcp, local, c)
		}
	}
}
