package plain

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
)

func TestACauseHasNoOperationAndNoName(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "nothing")
	_, opened := os.Open(nowhere)
	_, dialled := net.Dial("unix", nowhere)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, listened := net.Listen("tcp", taken.Addr().String())
	for _, c := range []struct {
		err  error
		want string
	}{
		{opened, "no such file or directory"},
		{os.Rename(nowhere, nowhere), "no such file or directory"},
		{dialled, "no such file or directory"},
		{listened, "address already in use"},
		{errors.New("another one"), "another one"},
	} {
		if got := Cause(c.err).Error(); got != c.want {
			t.Errorf("of %v: %q, want %q", c.err, got, c.want)
		}
	}
}
