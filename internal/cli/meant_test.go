package cli_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rpcbench/internal/cli"
)

// A shell takes quotes that are not quoted, and names of files need an @.
func TestDataThatWasMeantOtherwiseIsAnsweredWithWhatToType(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	source, lost := filepath.Join(folder, "a.proto"), filepath.Join(folder, "lost.proto")
	requests := filepath.Join(folder, "orders.json")
	writeText(t, source, `syntax = "proto3"; package a; message A { string name = 1; } service S { rpc Do(A) returns (A); }`)
	writeText(t, lost, `syntax = "proto3"; import "x/y.proto";`)
	writeText(t, requests, "{}")
	const quotes = "; did the shell take its quotes? JSON needs 'single quotes' around it"
	for _, test := range []struct {
		args []string
		want string // the end
	}{
		{[]string{"-d", "{name:x}"}, "looking for beginning of object key string" + quotes},
		{[]string{"-d", "[name]"}, "(expecting 'u')" + quotes},
		{[]string{"-d", "name:x", "b:2"}, `call takes one TARGET: unexpected "b:2"` + quotes},
		{[]string{"-d", "{name:", "x}"}, `call takes one TARGET: unexpected "x}"` + quotes},
		{[]string{"-d", requests}, "looking for beginning of value; did you mean -d @" + requests + "?"},
		{[]string{"--data", requests}, "looking for beginning of value; did you mean --data @" + requests + "?"},
		{[]string{"-d", "a b"}, "looking for beginning of value"},
		{[]string{"-d", `{"name": x}`}, "looking for beginning of value"},
		{[]string{"-d", "@" + filepath.Join(folder, "none.json")}, "none.json: no such file or directory"},
		{[]string{"-H", requests}, `the format is "name: value"; did you mean @` + requests + "?"},
		{[]string{"-H", "a"}, `the format is "name: value"`},
		{[]string{"--proto", lost}, `"x/y.proto" is not below an import path (` + folder + ", .); --import-path DIR names one more"},
		{[]string{"--proto", "none.proto"}, "neither here nor below an import path (.); --import-path DIR names one more"},
	} {
		args := append([]string{"call", "127.0.0.1:1", "--call", "a.S/Do"}, test.args...)
		if !strings.Contains(strings.Join(args, " "), "--proto") {
			args = append(args, "--proto", source)
		}
		if code, said := cli.Say(args, stacks()); code != 2 || !strings.HasSuffix(said, test.want) {
			t.Errorf("%q: exit code %d, want %q at the end of %s", test.args, code, test.want, said)
		}
	}
}

// grpcurl names the method behind the server.
func TestAMethodBehindTheTargetIsAnsweredWithTheFlagForIt(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"load localhost:7051 a.B/C":                            "load localhost:7051 --call a.B/C",
		`load -d {"name":"x"} localhost:7051 a.B/C`:            "load -d '…' localhost:7051 --call a.B/C",
		`call -plaintext -d {"name":"x"} localhost:7051 a.B/C`: "call -plaintext -d '…' localhost:7051 --call a.B/C",
		`capacity --data {"a":1}{"a":2} web:1 /a.B/C`:          "capacity --data '…' web:1 --call /a.B/C",
		"call -d @a.json localhost:7051 a.B/C":                 "call -d @a.json localhost:7051 --call a.B/C",
	} {
		words := strings.Fields(args)
		whole := "rpcbench: " + words[0] + " takes one TARGET; --call names the method: rpcbench " + want
		if code, said := cli.Say(words, stacks()); code != 2 || said != whole {
			t.Errorf("%s: exit code %d: got  %s\nwant %s", args, code, said, whole)
		}
	}
}

// A body of HTTP may be anything, so it is sent, with a note.
func TestABodyThatIsTheNameOfAFileHasANote(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	body := filepath.Join(folder, "body.bin")
	writeText(t, body, "whole")
	address := openWeb(t, nil, false, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for data, want := range map[string]string{
		body:         "note: -d " + body + " sends these letters; -d @" + body + " sends the file of that name\n",
		"{id:1}":     "note: -d is no JSON, and is sent as it is; did the shell take its quotes? ",
		"@" + body:   "",
		`{"id": 1}`:  "",
		"id=1&name=": "",
	} {
		for _, verb := range []string{"call", "load"} {
			command := exec.Command("rpcbench", verb, "http://"+address, "-d", data)
			if verb == "load" {
				command.Args = append(command.Args, "--calls", "2", "--warmup", "0s", "--out", os.DevNull)
			}
			var said strings.Builder
			command.Stderr = &said
			if err := command.Run(); err != nil || strings.Contains(said.String(), "note: -d") != (want != "") ||
				!strings.Contains(said.String(), want) {
				t.Errorf("%s -d %s: %v: %s", verb, data, err, said.String())
			}
		}
	}
}
