package h2spec

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"rpcbench/internal/test/suites/tool"
)

// bin is what make builds.
const bin = "../../../../bin"

func TestServersKeepHTTP2AsFarAsTheirLibrariesDo(t *testing.T) {
	t.Parallel()
	program := tool.Path(t, "h2spec")
	all := casesOf(t, program)
	for name, java := range map[string]bool{"grpc-go": false, "connect-go": false, "grpc-java-netty": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := os.Stat(bin + "/java/grpc-java/worker"); java && err != nil {
				t.Skip("make java builds what it needs")
			}
			known := readList(t, filepath.Join("testdata", name+".txt"))
			failed := failures(t, program, serve(t, name), all, known)
			for _, one := range failed {
				if !slices.Contains(known, one) {
					t.Errorf("%s: failed, and is not in the list", one)
				}
			}
			for _, one := range known {
				if !slices.Contains(failed, one) {
					t.Errorf("%s: passed, or is no case, and is in the list", one)
				}
			}
			t.Logf("%d of %d cases passed", len(all)-len(failed), len(all))
		})
	}
}

var (
	section  = regexp.MustCompile(`^ +(\d+(?:\.\d+)*)\. `)
	numbered = regexp.MustCompile(`^ +(\d+): (.*)$`)
)

// casesOf lists all cases, such as "http2/6.1/2 Sends a DATA frame …", but one that sends as many requests as a server
// allows: some allow two thousand million.
func casesOf(t *testing.T, program string) (all []string) {
	t.Helper()
	for _, group := range []string{"generic", "http2", "hpack"} {
		listed, err := exec.CommandContext(t.Context(), program, "--dryrun", "--strict", group).Output()
		if err != nil {
			t.Fatal(err)
		}
		number := ""
		for lines := bufio.NewScanner(bytes.NewReader(listed)); lines.Scan(); {
			if found := section.FindStringSubmatch(lines.Text()); found != nil {
				number = found[1]
			} else if found := numbered.FindStringSubmatch(lines.Text()); found != nil && number != "5.1.2" {
				all = append(all, fmt.Sprintf("%s/%s/%s %s", group, number, found[1], found[2]))
			}
		}
	}
	if len(all) < 140 {
		t.Fatalf("h2spec has %d cases, and had 145", len(all))
	}
	return all
}

// serve starts a server of a stack until the test ends.
func serve(t *testing.T, name string) (address string) {
	t.Helper()
	server := exec.CommandContext(t.Context(), bin+"/rpcbench", "serve", "--stack", name)
	server.Cancel = func() error { return server.Process.Signal(os.Interrupt) }
	printed, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		t.Fatalf("make build makes what it needs: %v", err)
	}
	t.Cleanup(func() { _ = server.Process.Signal(os.Interrupt); _ = server.Wait() })
	line, err := bufio.NewReader(printed).ReadString('\n')
	address, found := strings.CutPrefix(strings.TrimSpace(line), "Listening on ")
	if !found {
		t.Fatalf("%q instead of where it listens: %v", line, err)
	}
	return address
}

// parallel is how many cases are run at once. Those that fail wait for what does not come.
const parallel = 24

// seconds are how long h2spec waits for what should come. Its own 2 s are too short for a machine that is busy with something
// else, and soon over for the cases that are known to fail. One that is not known to fail has to fail each time: h2spec takes
// it for a failure, too, where a connection ends before what was written to it last has come.
var seconds = []string{"2", "10", "60"}

// failures runs all cases and returns those that failed, as lists have them.
func failures(t *testing.T, program, address string, all, known []string) (failed []string) {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	passes := func(one string) bool {
		id, _, _ := strings.Cut(one, " ")
		tries := seconds
		if slices.Contains(known, one) {
			tries = seconds[:1]
		}
		for _, timeout := range tries {
			if exec.CommandContext(t.Context(), program, "--port", port, "--strict", "--timeout", timeout, id).Run() == nil {
				return true
			}
		}
		return false
	}
	var running sync.WaitGroup
	places, passed := make(chan struct{}, parallel), make([]bool, len(all))
	for i, one := range all {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			passed[i] = passes(one)
		})
	}
	running.Wait()
	for i, one := range all {
		if !passed[i] {
			failed = append(failed, one)
		}
	}
	return failed
}

// readList reads cases that are known to fail. Their reasons stand in lines that begin with #.
func readList(t *testing.T, path string) (known []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			known = append(known, line)
		}
	}
	return known
}
