package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
)

// By these the process that is enclosed knows what it was made for.
const (
	programsVariable = "RPCBENCH_TEST_KUBERNETES"        // the folder of the programs, which make test-kubernetes sets
	folderVariable   = "RPCBENCH_TEST_KUBERNETES_FOLDER" // for all that the cluster writes
	groupVariable    = "RPCBENCH_TEST_KUBERNETES_GROUP"  // the control group that all others are below
)

// lab is the cluster of this process's tests.
var lab *cluster

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(programsVariable) == "":
		os.Exit(m.Run()) // each test says why it is skipped
	case os.Getenv(folderVariable) == "":
		os.Exit(enclose())
	default:
		os.Exit(enclosed(m))
	}
}

// enclose runs this program again as the first process in namespaces of its own. All that it starts ends with it: nothing
// of a mount, an address, a process or a setting is left.
func enclose() int {
	group := fmt.Sprintf("rpcbench-kubernetes-%d", os.Getpid())
	folder, err := os.MkdirTemp("", group+"-")
	if err != nil {
		return failed(err)
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, syscall.SIGINT, syscall.SIGTERM)
	runtime.LockOSThread() // whose end would end the child
	child := exec.Command("/proc/self/exe", os.Args[1:]...)
	child.Env = append(os.Environ(), folderVariable+"="+folder, groupVariable+"="+group)
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
		Pdeathsig:  syscall.SIGKILL,
	}
	if err := child.Start(); err != nil {
		return failed(fmt.Errorf("namespaces of its own can't be made, which takes root: %w", err), os.RemoveAll(folder))
	}
	go func() {
		<-interrupted
		_ = child.Process.Kill() // or it has ended
	}()
	err = child.Wait()
	if err := errors.Join(removeGroups(group), os.RemoveAll(folder)); err != nil {
		return failed(err)
	}
	if child.ProcessState.ExitCode() < 0 {
		return failed(err)
	}
	return child.ProcessState.ExitCode()
}

func failed(errs ...error) int {
	fmt.Fprintln(os.Stderr, errors.Join(errs...))
	return 1
}

// removeGroups removes a control group and those below it, which are empty, from each hierarchy.
func removeGroups(group string) error {
	tops, err := filepath.Glob("/sys/fs/cgroup/*/" + group)
	if err != nil {
		return err
	}
	for _, top := range append(tops, "/sys/fs/cgroup/"+group) {
		var found []string
		err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() {
				found = append(found, path)
			}
			return err
		})
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		for _, path := range slices.Backward(found) {
			err = errors.Join(err, os.Remove(path))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// enclosed starts the cluster, and runs the tests on it.
func enclosed(m *testing.M) int {
	made, err := start(os.Getenv(programsVariable), os.Getenv(folderVariable), os.Getenv(groupVariable))
	if err != nil {
		return failed(err)
	}
	lab = made
	return m.Run()
}

// kept are settings of the kernel that are no namespace's, and which a kubelet changes. Here it changes copies of them.
var kept = []string{
	"vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops", "kernel/keys/root_maxkeys",
	"kernel/keys/root_maxbytes",
}

// isolate hides what the programs write to by fixed names: folders of the system, and settings of the kernel.
func isolate(folder string) error {
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := syscall.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return err
	}
	for _, hidden := range []string{"/run", "/var/lib"} {
		if err := syscall.Mount("tmpfs", hidden, "tmpfs", 0, ""); err != nil {
			return fmt.Errorf("%s: %w", hidden, err)
		}
	}
	for _, setting := range kept {
		value, err := os.ReadFile("/proc/sys/" + setting)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		copied := filepath.Join(folder, "settings", setting)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(copied), 0o700), os.WriteFile(copied, value, 0o600),
			syscall.Mount(copied, "/proc/sys/"+setting, "", syscall.MS_BIND, ""))
		if err != nil {
			return fmt.Errorf("%s: %w", setting, err)
		}
	}
	return os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0o600) // of this network namespace
}

// connect gives the network namespace addresses: what Pods reach the API server by, and one for each node.
func connect(nodes int) error {
	lines := [][]string{
		{"link", "set", "lo", "up"},
		{"addr", "add", serviceAddress + "/32", "dev", "lo"},
		{"link", "add", "cluster0", "type", "veth", "peer", "name", "cluster1"},
		{"link", "set", "cluster1", "up"},
		{"addr", "add", planeAddress + "/24", "dev", "cluster0"},
	}
	for n := range nodes {
		lines = append(lines, []string{"addr", "add", addressOf(n+1) + "/24", "dev", "cluster0"})
	}
	lines = append(lines, []string{"link", "set", "cluster0", "up"},
		// The kubelet and the API server look for one, and nothing is sent there.
		[]string{"route", "add", "default", "via", "10.251.0.254"})
	for _, words := range lines {
		if said, err := exec.Command("ip", words...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %v: %w: %s", words, err, said)
		}
	}
	return nil
}
