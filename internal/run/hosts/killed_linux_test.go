package hosts

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asDriver tells the test binary that it is the driver, with the server's address, its port and its folder.
const asDriver = "RPCBENCH_TEST_DRIVER"

// A killed driver can't end anything itself: neither its workers nor the commands that lead to them.
func TestNothingOutlivesADriverThatIsKilled(t *testing.T) {
	t.Parallel()
	if at := strings.Fields(os.Getenv(asDriver)); len(at) == 3 {
		driveOn(t, &sshd{address: at[0], port: at[1], folder: at[2]})
		return
	}
	cache := t.TempDir()
	server := serveSSH(t, "127.0.0.1", cache)
	command := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	command.Env = append(os.Environ(), asDriver+"="+strings.Join([]string{server.address, server.port, server.folder}, " "))
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if _, err := command.StdinPipe(); err != nil { // which is open until the driver has ended
		t.Fatal(err)
	}
	said, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	for lines := bufio.NewScanner(said); lines.Scan() && lines.Text() != drives; {
		log.WriteString(lines.Text() + "\n")
	}
	if len(workers(t, cache)) != 2 || len(leading(t, server)) != 2 {
		t.Errorf("workers %v, and ssh %v: want 2 of each; it said\n%s", workers(t, cache), leading(t, server), log.String())
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
	wantNone(t, cache)
	for range 3000 {
		if len(leading(t, server)) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("left: %v", leading(t, server))
}

// drives is printed by a driver whose workers have started.
const drives = "the workers have started"

// driveOn is the driver: it starts two workers, and goes on until it is killed.
func driveOn(t *testing.T, server *sshd) {
	t.Helper()
	l := ready(t, server.host("db1"))
	started(t, l, "db1")
	started(t, l, "db1")
	_, _ = os.Stdout.WriteString(drives + "\n")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// leading are the processes of ssh that lead to a server.
func leading(t *testing.T, server *sshd) (found []string) {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		words, err := os.ReadFile(path)
		if err == nil && strings.HasPrefix(string(words), "ssh\x00") && strings.Contains(string(words), server.file("user")) {
			found = append(found, path)
		}
	}
	return found
}
