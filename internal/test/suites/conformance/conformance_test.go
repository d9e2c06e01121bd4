package conformance

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"rpcbench/internal/test/suites/tool"
)

// The runner starts this program again, for what these say.
const (
	roleVariable   = "SUITE_ROLE"
	schemaVariable = "SUITE_SCHEMA"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		if err := play(role); err != nil {
			println(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func play(role string) error {
	ctx := context.Background()
	if err := register(ctx, os.Getenv(schemaVariable)); err != nil {
		return err
	}
	if role == clientRole {
		return runClient(ctx, os.Stdin, os.Stdout)
	}
	return runServer(role, os.Stdin, os.Stdout)
}

// clientRole is that of the client. The others are the names of servers.
const clientRole = "client"

func TestTheWireClientPassesConnectsSuite(t *testing.T) { run(t, "client", clientRole) }
func TestGRPCGoPassesConnectsSuite(t *testing.T)        { run(t, "server", "grpc-go") }
func TestConnectGoPassesConnectsSuite(t *testing.T)     { run(t, "server", "connect-go") }

// run has the suite's runner test this program in a role, by the role's configuration. Its list has the cases that are known
// to fail, with their reasons: one that passes is a failure too.
func run(t *testing.T, mode, role string, environment ...string) {
	t.Helper()
	t.Parallel()
	folder, err := protoFolder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for tries := 1; ; tries++ {
		flags := []string{
			"--mode", mode, "--conf", "testdata/" + role + ".yaml", "--known-failing", "@testdata/" + role + ".txt",
			"--known-flaky", punctual, "-v",
		}
		if mode == "server" { // a pattern that no case has is an error
			flags = append(flags, "--known-flaky", prompt)
		}
		runner := exec.CommandContext(t.Context(), tool.Path(t, "connectconformance"), append(flags, "--", self)...)
		runner.Env = append(append(os.Environ(), environment...), roleVariable+"="+role, schemaVariable+"="+folder)
		said, err := runner.CombinedOutput()
		if err != nil && tries < maxTries && bytes.Contains(said, []byte(tooSlow)) {
			t.Logf("try %d: the runner waited 10 s for a server", tries)
			continue
		}
		if err != nil {
			t.Errorf("%v\n%s", err, said)
		}
		t.Logf("%s", lastLines(said))
		return
	}
}

// punctual are cases that want most of a deadline of 2 s left when the server reads it, which a busy machine takes. Those whose
// deadline passes are judged as ever, and stacktest has a deadline that is sent by every stack.
const punctual = "Deadline Propagation/**/success"

// prompt are cases of the runner's grpc-go client that fail where the 200 ms that a call has pass before the client has opened
// it, as on a busy machine. Those of its other client, which takes that for the call's end, are judged.
const prompt = "Timeouts/**/(grpc client impl)/**"

// The runner gives a server 10 s to start, which can't be changed, and fails all of its cases on a machine too busy for that.
const (
	tooSlow  = "timed out waiting for result from server"
	maxTries = 5
)

// lastLines are the runner's sums.
func lastLines(said []byte) string {
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], "\n")
}
