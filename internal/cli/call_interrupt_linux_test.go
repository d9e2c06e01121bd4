package cli_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
)

func TestOneCallThatIsInterruptedSaysSo(t *testing.T) {
	t.Parallel()
	begun, end := make(chan struct{}, 1), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		begun <- struct{}{}
		<-end
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(end) })
	command := exec.Command("rpcbench", "call", server.URL, "--deadline", "1h")
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	<-begun
	_ = command.Process.Signal(os.Interrupt)
	if got := code(command.Wait()); got != 130 || said.String() != "rpcbench: interrupted\n" {
		t.Errorf("exit code %d: %s", got, said.String())
	}
}
