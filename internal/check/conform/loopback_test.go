package conform

import (
	"net"
	"runtime"
	"strings"
	"testing"
)

// Nothing answers at a vacancy, and nobody gets its port, not even who listens on all hosts.
func TestAVacancyIsNobodys(t *testing.T) {
	t.Parallel()
	vacant, err := newVacancy()
	if err != nil {
		t.Fatal(err)
	}
	defer vacant.Close()
	_, port, err := net.SplitHostPort(vacant.address())
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" { // others give the port to who asks for it by number
		if other, err := net.Listen("tcp", ":"+port); err == nil {
			other.Close()
			t.Errorf("another listens on %s", other.Addr())
		}
	}
	conn, err := net.Dial("tcp", vacant.address())
	if err == nil {
		conn.Close()
		t.Fatalf("%s answers", vacant.address())
	}
	if !strings.Contains(err.Error(), "refused") {
		t.Error(err)
	}
}
