package cli_test

import (
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"rpcbench/internal/test/sockettest"
)

// completed returns what a shell is offered for a line, without what shells are told beside it.
func completed(t *testing.T, behind string, line ...string) []string {
	t.Helper()
	return completedWithin(t, patience(t).String(), behind, line...)
}

// completedWithin returns what a shell is offered where a server's methods are waited for as long; "" is as long as for a user.
func completedWithin(t *testing.T, patience, behind string, line ...string) []string {
	t.Helper()
	command := exec.Command("rpcbench", slices.Concat([]string{"__complete"}, line)...)
	command.Env = append(os.Environ(), "RPCBENCH_AFTER_CURSOR="+behind, methodsPatience+"="+patience)
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return lines[:len(lines)-1]
}

var shopMethods = []string{
	"shop.v1.Shop/Get", "shop.v1.Shop/List\tdownload", "shop.v1.Shop/Put\tupload", "shop.v1.Shop/Chat\tstream",
}

func TestMethodsAreCompletedByReflection(t *testing.T) {
	t.Parallel()
	shop := openShop(t)
	for _, c := range []struct {
		behind string
		line   []string
	}{
		{"", []string{"load", shop.address, "--call", ""}},
		{"", []string{"load", "--rps", "100", shop.address, "--call", "sh"}},
		{"", []string{"call", shop.address, "--call", ""}},
		{"", []string{"capacity", shop.address, "--call="}},
		{" " + shop.address, []string{"load", "--call", ""}},
		{"op " + shop.address + " --rate '1'", []string{"load", "--call", "sh"}},
	} {
		if got := completed(t, c.behind, c.line...); !slices.Equal(got, shopMethods) {
			t.Errorf("%q, then %q: got %q", c.line, c.behind, got)
		}
	}
	if len(shop.metadata()) > 0 {
		t.Error("a method was called")
	}
}

func TestMethodsAreCompletedFromFilesWithoutAServer(t *testing.T) {
	t.Parallel()
	encoded, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{shopFile()}})
	if err != nil {
		t.Fatal(err)
	}
	set := t.TempDir() + "/shop.binpb"
	if err := os.WriteFile(set, encoded, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := completed(t, "", "ab", "localhost:{port}", "--protoset", set, "--call", ""); !slices.Equal(got, shopMethods) {
		t.Errorf("got %q", got)
	}
}

func TestNamesOfGRPCsScenariosAreCompletedBehindTheirPrefix(t *testing.T) {
	t.Parallel()
	want := []string{"qps:ruby_to_cpp_protobuf_sync_streaming_ping_pong", "qps:ruby_to_cpp_protobuf_sync_unary_ping_pong"}
	for _, verb := range []string{"run", "plan"} {
		if got := completed(t, "", verb, "qps:ruby_to_"); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("%s: got %q", verb, got)
		}
		if got := completed(t, "", verb, "q"); !slices.Contains(got, "quick") || slices.Contains(got, want[0]) {
			t.Errorf("%s: got %q", verb, got)
		}
	}
}

// Whoever presses TAB gets a sentence where there are no methods, and never waits for long.
func TestKeysOfScenariosAreCompletedBehindSet(t *testing.T) {
	t.Parallel()
	want := []string{"request_bytes=", "request_sizes_file="}
	for _, verb := range []string{"run", "plan"} {
		if got := completed(t, "", verb, "quick", "--set", "request"); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("%s: got %q", verb, got)
		}
	}
}

func TestWhatCantBeCompletedIsASentence(t *testing.T) {
	t.Parallel()
	frozen, err := net.Listen("tcp", "127.0.0.1:0") // connections are made, and nothing is read
	if err != nil {
		t.Fatal(err)
	}
	defer frozen.Close()
	slow := frozen.Addr().String()
	want := []string{"_activeHelp_ " + slow + " did not list its methods within 2s"}
	if got := completedWithin(t, "", "", "load", slow, "--call", ""); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	gone := sockettest.ClosedPort(t)
	for want, line := range map[string][]string{
		"type TARGET, and its methods are listed":                         {"load", "--call", ""},
		"cannot reach the server at " + gone + ": connection refused":     {"load", gone, "--call", ""},
		"--call names a gRPC method: give host:port instead of a URL":     {"load", "http://" + gone, "--call", ""},
		"cannot find no.proto, neither here nor below an import path (.)": {"load", gone, "--proto", "no.proto", "--call", ""},
	} {
		if got := completed(t, "", line...); len(got) != 1 || got[0] != "_activeHelp_ "+want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

// Cobra's scripts end at the cursor: each change of them has found its place.
func TestCompletionScriptsPassTheWholeLine(t *testing.T) {
	t.Parallel()
	for shell, want := range map[string]string{
		"bash": `"${COMP_LINE:COMP_POINT}"; eval`, "zsh": `"${RBUFFER}"; eval`, "fish": "complete -c rpcbench",
	} {
		script, err := exec.Command("rpcbench", "completion", shell).Output()
		if err != nil || !strings.Contains(string(script), want) {
			t.Errorf("%s: %v, without %s", shell, err, want)
		}
	}
}

// TestBashCompletesMethods asks a real bash, with TARGET behind the cursor.
func TestBashCompletesMethods(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	shop := openShop(t)
	const asked = `
_get_comp_words_by_ref() { cur= prev=--call cword=3 words=(rpcbench load --call "$TARGET"); } # as bash-completion does
compopt() { :; }
source <(rpcbench completion bash)
COMP_LINE="rpcbench load --call  $TARGET" COMP_POINT=21 COMP_TYPE=9
__start_rpcbench
printf '%s\n' "${COMPREPLY[@]}"
`
	command := exec.Command(bash, "--norc", "-c", asked)
	command.Env = append(os.Environ(), "TARGET="+shop.address, methodsPatience+"="+patience(t).String())
	var said strings.Builder // of a machine without the locale that it is told to have, too
	command.Stderr = &said
	output, err := command.Output()
	if err != nil || !strings.HasPrefix(string(output), "shop.v1.Shop/") {
		t.Errorf("%v: %s%s", err, output, said.String())
	}
}
