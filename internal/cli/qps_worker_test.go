package cli_test

import (
	"bytes"
	"net"
	"os/exec"
	"strings"
	"testing"
)

// A worker whose port is another's says so and ends.
func TestADriverPortThatIsTakenIsOneSentence(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	command := exec.Command("rpcbench", "qps-worker", "--driver_port", port)
	var said bytes.Buffer
	command.Stderr = &said
	want := "rpcbench: --listen, --driver-port: cannot listen on 127.0.0.1:" + port + ": address already in use"
	if got := code(command.Run()); got != 2 || strings.TrimSpace(said.String()) != want {
		t.Errorf("exit code %d: %s\nwant 2: %s", got, said.String(), want)
	}
}
