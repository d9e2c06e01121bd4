package conform

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"rpcbench/internal/worker/control"
)

func TestEveryCountThatGrowsIsOneOfASnapshot(t *testing.T) {
	t.Parallel()
	found, fields := 0, new(control.Snapshot).ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		if _, counts := growing[string(fields.Get(i).Name())]; counts {
			found++
		}
	}
	if found != len(growing) {
		t.Errorf("a snapshot has %d of %v", found, growing)
	}
}

// A count that a worker never tells is passed over; one that it tells grows, and stays.
func TestAnAbsentCountIsNotZero(t *testing.T) {
	t.Parallel()
	counted := &control.Snapshot{TimeNs: 10, CpuUserNs: 10, PeakMemoryBytes: 10, Sockets: 1, BytesOut: new(int64(50)),
		VoluntarySwitches: new(int64(7))}
	after := func(change func(*control.Snapshot)) *control.Snapshot {
		s := proto.CloneOf(counted)
		s.TimeNs, s.BytesOut = 20, new(int64(60))
		change(s)
		return s
	}
	silent := func(s *control.Snapshot) { s.BytesOut, s.VoluntarySwitches = nil, nil }
	without := proto.CloneOf(counted)
	silent(without)
	for _, test := range []struct {
		name        string
		before, now *control.Snapshot
		want        string // in the error; none if empty
	}{
		{"the first", nil, counted, ""},
		{"no growth of switches", counted, after(func(*control.Snapshot) {}), ""},
		{"never told", without, after(silent), ""},
		{"told later", without, after(func(*control.Snapshot) {}), ""},
		{"first of no bytes", nil, after(func(s *control.Snapshot) { s.BytesOut = new(int64) }),
			"snapshot.bytes_out went from 0 to 0"},
		{"still of no bytes", without, after(func(s *control.Snapshot) { s.BytesOut = new(int64) }),
			"snapshot.bytes_out went from 0 to 0"},
		{"no growth of bytes", counted, after(func(s *control.Snapshot) { s.BytesOut = new(int64(50)) }),
			"snapshot.bytes_out went from 50 to 50"},
		{"shrunk", counted, after(func(s *control.Snapshot) { s.VoluntarySwitches = new(int64(6)) }),
			"snapshot.voluntary_switches went from 7 to 6"},
		{"absent later", counted, after(func(s *control.Snapshot) { s.VoluntarySwitches = nil }),
			"snapshot.voluntary_switches was 7, and is absent"},
		{"no time", counted, after(func(s *control.Snapshot) { s.TimeNs = 0 }), "snapshot.time_ns went from 10 to 0"},
		{"no sockets", nil, &control.Snapshot{TimeNs: 1, CpuUserNs: 1, PeakMemoryBytes: 1}, "sockets are 0"},
	} {
		err := checkGrowth(test.before, test.now)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}
