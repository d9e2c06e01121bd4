package dist

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/results/result"
	"rpcbench/internal/test/programtest"
)

// patience is how long the emulator may take, however slow the machine is: until shortly before go test ends all tests.
func patience(t *testing.T) time.Duration {
	t.Helper()
	if end, ok := t.Deadline(); ok {
		return time.Until(end) - 10*time.Second
	}
	return time.Hour
}

// oldest is the processor of the first Raspberry Pi and of the Zero: what ARMv6 lacks, it refuses.
const oldest = "QEMU_CPU=arm1176"

// A board runs 32-bit ARM programs: this machine, where its kernel can start them, or else an emulator.
//
// rpcbench starts its workers from its own binary. Under `qemu-arm rpcbench` that fails with "exec format error": qemu
// answers truly that /proc/self/exe is the arm binary, and passes its start on to the kernel, which must know of qemu.
// So the emulator is registered with binfmt_misc, in a user namespace, where anybody may (from Linux 6.7) and which
// leaves the machine as it is.
type board struct{ emulator string } // empty where none is needed

// findBoard skips the test where there is no way to run the program.
func findBoard(t *testing.T, program string) board {
	t.Helper()
	err := exec.Command(program, "--version").Run()
	if err == nil {
		return board{}
	}
	if !errors.Is(err, syscall.ENOEXEC) {
		t.Fatal(err)
	}
	for _, name := range []string{"qemu-arm", "qemu-arm-static"} {
		if path, err := exec.LookPath(name); err == nil {
			b := board{path}
			b.mustRegister(t)
			return b
		}
	}
	t.Skip("no qemu-arm, so the arm binary is not run: apt-get install qemu-user adds it")
	return board{}
}

// register mounts binfmt_misc in its namespace, writes $0 to it and runs the rest. It ends with notRegistered where it
// may not.
const register = `cd /proc/sys/fs && mount -t binfmt_misc none binfmt_misc &&
	printf %s "$0" >binfmt_misc/register || exit 99; cd "$OLDPWD" && exec "$@"`

const notRegistered = 99

// mustRegister skips the test where the emulator can't be registered.
func (b board) mustRegister(t *testing.T) {
	t.Helper()
	output, err := b.command(t.Context(), "true").CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
	case !errors.As(err, &exit) || exit.ExitCode() == notRegistered:
		t.Skipf("the arm binary is not run, as its emulator can't be registered in a user namespace, which needs Linux 6.7 "+
			"and leave to make one: %v %s", err, output)
	default:
		t.Fatalf("register the emulator: %v %s", err, output)
	}
}

// command is a command on the board.
func (b board) command(ctx context.Context, args ...string) *exec.Cmd {
	if b.emulator == "" {
		return exec.CommandContext(ctx, args[0], args[1:]...)
	}
	made := exec.CommandContext(ctx, "sh", append([]string{"-c", register, armPrograms(b.emulator)}, args...)...)
	made.Env = append(os.Environ(), oldest)
	made.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	return made
}

// armPrograms is the line for binfmt_misc that has emulator run 32-bit ARM programs: those that begin with the ELF
// header's magic and class, and 13 bytes later have ARM as the machine.
func armPrograms(emulator string) string {
	magic := escaped([]byte("\x7fELF\x01"), make([]byte, 13), []byte{0x28, 0})
	mask := escaped(bytes.Repeat([]byte{0xff}, 5), make([]byte, 13), []byte{0xff, 0xff})
	return ":rpcbench-arm:M::" + magic + ":" + mask + ":" + emulator + ":"
}

func escaped(parts ...[]byte) string {
	var text strings.Builder
	for _, b := range bytes.Join(parts, nil) {
		fmt.Fprintf(&text, `\x%02x`, b)
	}
	return text.String()
}

// fourLines is Vanadium's layout. Durations and rates depend on the emulator.
var fourLines = regexp.MustCompile(`^RPC Connection\t[\d.]+ ms/rpc
RPC \(echo 1000B\)\t[\d.]+ ms/rpc \([\d.]+ qps\)
RPC Streaming \(echo 1000B\)\t[\d.]+ ms/rpc
RPC Streaming Throughput \(echo 1MB\)\t[\d.]+ MB/s
$`)

func TestTheBinaryForTheOldestBoards(t *testing.T) { //nolint:tparallel // an emulator at a time
	t.Parallel()
	folder, name := build(t)
	board := findBoard(t, filepath.Join(folder, name))
	t.Run("measures simple", func(t *testing.T) { measuresSimple(t, board, folder, name) })
	t.Run("is that of a host", func(t *testing.T) { isOfAHost(t, board, folder) })
}

func measuresSimple(t *testing.T, board board, folder, name string) {
	t.Helper()
	program, out := filepath.Join(folder, name), filepath.Join(t.TempDir(), "simple.jsonl")
	ctx, cancel := context.WithTimeout(t.Context(), patience(t))
	defer cancel()
	const calls = 5
	command := board.command(ctx, program, "simple", "--stack", "grpc-go", "--warmup", "0s",
		"--set", fmt.Sprintf("calls=%d", calls), "--set", "messages=10", "--set", "deadline=10m",
		"--worker-env", "QEMU_CPU", "--out", out)
	var notes bytes.Buffer
	command.Stderr, command.WaitDelay = &notes, time.Second
	lines, err := command.Output()
	if err != nil {
		t.Fatalf("rpcbench simple: %v\n%s%s", err, lines, notes.Bytes())
	}
	if !fourLines.Match(lines) {
		t.Errorf("it prints\n%s", lines)
	}
	checkEvidence(t, out, calls)
}

// isOfAHost has a driver on this machine's processor measure on a host with another one, where the kernel runs arm programs
// and uname says so. The driver finds the host's binary next to its own.
func isOfAHost(t *testing.T, board board, folder string) {
	t.Helper()
	if board.emulator == "" {
		t.Skip("this machine runs arm programs itself, so it is not a host with another processor")
	}
	driver := filepath.Join(folder, "rpcbench")
	building := exec.Command("go", "build", "-trimpath", "-o", driver, "./cmd/rpcbench")
	building.Dir = "../../.."
	if output, err := building.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	const uname = "#!/bin/sh\ntest \"$1\" = -m && echo armv6l || exec /usr/bin/uname \"$@\"\n"
	programtest.Write(t, filepath.Join(folder, "uname"), uname)
	words, err := json.Marshal([]string{
		"unshare", "--user", "--map-root-user", "--mount", "env", oldest, "PATH=" + folder + ":" + os.Getenv("PATH"),
		"XDG_CACHE_HOME=" + filepath.Join(folder, "cache"), "sh", "-c", register, armPrograms(board.emulator),
	})
	if err != nil {
		t.Fatal(err)
	}
	hosts, out := filepath.Join(folder, "hosts.yaml"), filepath.Join(folder, "board.jsonl")
	list := fmt.Sprintf("board: {command: %s, address: 127.0.0.1}\n", words)
	if err := os.WriteFile(hosts, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience(t))
	defer cancel()
	const calls = 5
	command := exec.CommandContext(ctx, driver, "run", "latency", "--stacks", "grpc-go", "--no-floor", "--trials", "1",
		"--warmup", "0s", "--set", "request_bytes=100", "--set", fmt.Sprintf("calls=%d", calls), "--set", "deadline=10m",
		"--hosts", hosts,
		"--set", "client_hosts=board", "--set", "server_hosts=board", "--out", out)
	command.WaitDelay = time.Second
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("rpcbench run: %v\n%s", err, said)
	}
	file, err := result.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	client := file.Trials[0].Clients[0]
	if at := file.Header.HostOf(client.Host); at.ID != "board" || at.Arch != "arm" || file.Header.Driver().Arch != runtime.GOARCH {
		t.Errorf("the client was on %s, a %s, and the driver on a %s", at.ID, at.Arch, file.Header.Driver().Arch)
	}
	if len(client.Outcomes) != 1 || client.Outcomes[0] != (result.Outcome{Code: "OK", Calls: calls}) {
		t.Errorf("outcomes %+v, want %d OK", client.Outcomes, calls)
	}
}

// checkEvidence checks that the results file has four trials of an arm binary of this commit, whose calls all succeeded.
func checkEvidence(t *testing.T, path string, calls int64) {
	t.Helper()
	file, err := result.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _ := exec.Command("git", "rev-parse", "HEAD").Output() // outside git there is none to know
	commit := strings.TrimSpace(string(head))
	if h := file.Header; h.Driver().Arch != "arm" || !strings.HasPrefix(h.Binary.Commit, commit) {
		t.Errorf("the file is of %q at commit %q, want arm and %q", h.Driver().Arch, h.Binary.Commit, commit)
	}
	kinds := map[string]int{}
	for _, trial := range file.Trials {
		kinds[trial.Spec.Kind]++
		if len(trial.Clients[0].Outcomes) != 1 || trial.Clients[0].Outcomes[0] != (result.Outcome{Code: "OK", Calls: calls}) {
			t.Errorf("%s: outcomes %+v, want %d OK", trial.Spec.Kind, trial.Clients[0].Outcomes, calls)
		}
	}
	if len(file.Trials) != 4 || kinds["connect"] != 1 || kinds["unary"] != 1 || kinds["stream"] != 2 {
		t.Errorf("trials by kind %v, want a connect, a unary and two streams", kinds)
	}
}
