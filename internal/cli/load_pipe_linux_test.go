package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// pipe makes a pipe that holds a text once, as a shell's <(…) does.
func pipe(t *testing.T, text []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() { _ = os.WriteFile(path, text, 0) }()
	return path
}

func TestThePipesOfAMixAreReadOnce(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	args := []string{
		"load", s.address, "--calls", "20", "--warmup", "0s", "--trials", "1", "--mix", `1 shop.v1.Shop/Get {"name": "nail"}`,
		"--mix", `1 shop.v1.Shop/Get {"name": "screw"}`,
	}
	command := exec.Command("rpcbench", append(slices.Clone(args), "--token-file", pipe(t, []byte("sesame\n")),
		"--metadata", "@"+pipe(t, []byte("x-one: 1\n")), "--metadata", "@-")...)
	command.Dir, command.Stdin = t.TempDir(), strings.NewReader("x-two: 2\n")
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	calls := s.metadata()
	if len(calls) < 20 || s.came()["nail"] == 0 || s.came()["screw"] == 0 {
		t.Errorf("%d calls, %v", len(calls), s.came())
	}
	for _, seen := range calls {
		for name, want := range map[string]string{"authorization": "Bearer sesame", "x-one": "1", "x-two": "2"} {
			if got := seen.Get(name); !slices.Equal(got, []string{want}) {
				t.Fatalf("%s is %q, want %s", name, got, want)
			}
		}
	}

	set, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{s.file}})
	if err != nil {
		t.Fatal(err)
	}
	schema := pipe(t, set)
	said, err := exec.Command("rpcbench", append(args, "--protoset", schema)...).CombinedOutput()
	want := schema + " is not a regular file, so only one call can read it: write it to a file first"
	if code(err) != 2 || !strings.Contains(string(said), want) {
		t.Errorf("exit code %d: %s\nwant %s", code(err), said, want)
	}
}
