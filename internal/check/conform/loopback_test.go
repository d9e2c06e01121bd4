package conform

import (
	"net"
	"runtime"
	"testing"
)

// The port of a server that is gone may be another one's, but not at its address.
func TestAPortThatIsFreeAgainIsNobodyElses(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("it has one loopback host")
	}
	gone, err := deadAddress()
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(gone)
	if err != nil {
		t.Fatal(err)
	}
	host, _, err := net.SplitHostPort(quietPort())
	if err != nil {
		t.Fatal(err)
	}
	other, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if conn, err := net.Dial("tcp", gone); err == nil {
		conn.Close()
		t.Errorf("%s answers although only %s listens", gone, other.Addr())
	}
}
