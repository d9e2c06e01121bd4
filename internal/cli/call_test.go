package cli_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
)

// called runs call, which must end with the exit code, and returns what it prints and says.
func called(t *testing.T, want int, args ...string) (printed, said string) {
	t.Helper()
	command := exec.Command("rpcbench", slices.Concat([]string{"call"}, args)...)
	command.Dir = t.TempDir()
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	if got := code(command.Run()); got != want {
		t.Fatalf("%v: exit code %d, want %d: %s", args, got, want, errs.String())
	}
	return out.String(), errs.String()
}

var times = regexp.MustCompile(`(?m)^(  [a-z ]+?) +[0-9.]+ ms$`)

func TestOneCallIsPrintedWhole(t *testing.T) {
	t.Parallel()
	shop := openShop(t)
	got, _ := called(t, 0, shop.address, "--call", "shop.v1.Shop/Get", "--data", `{"name": "nail"}`, "-H", "x-a: b",
		"-H", "authorization: Bearer hush")
	want := "shop.v1.Shop/Get at " + shop.address + `: OK

Request
  metadata  x-a: b
  metadata  authorization: …
  message   6 B  {"name":"nail"}

Reply
  header    content-type: application/grpc
  message   6 B  {"name":"nail"}

Time
  resolve
  connect
  call
  total
`
	if diff := cmp.Diff(want, times.ReplaceAllString(got, "$1")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := len(shop.metadata()); n != 1 {
		t.Errorf("%d calls were made", n)
	}
	got, said := called(t, 1, shop.address, "--call", "shop.v1.Shop/Get", "--data", `{"name": "none"}`)
	if !strings.HasPrefix(got, "shop.v1.Shop/Get at "+shop.address+": NOT_FOUND: there is no such item\n") ||
		said != "rpcbench: the call failed: NOT_FOUND\n" {
		t.Errorf("a call that fails: %s%s", got, said)
	}
	// As load's own words, however much it would load.
	dry, err := exec.Command("rpcbench", "load", shop.address, "--call", "shop.v1.Shop/Get", "--rate", "1000", "--dry-run").Output()
	if err != nil || !strings.HasPrefix(string(dry), "shop.v1.Shop/Get at "+shop.address+": OK\n") {
		t.Errorf("a dry run: %s, %v", dry, err)
	}
	if n := len(shop.metadata()); n != 3 {
		t.Errorf("%d calls were made", n)
	}
}

// The library sets its own user-agent behind the one that is given, and the output has what it sends.
func TestOneCallSendsItsUserAgent(t *testing.T) {
	t.Parallel()
	shop := openShop(t)
	got, _ := called(t, 0, shop.address, "--call", "shop.v1.Shop/Get", "-H", "x-a: b", "-H", "user-agent: probe/1")
	want := "probe/1 grpc-go/" + grpc.Version
	if seen := shop.metadata()[0].Get("user-agent"); !slices.Equal(seen, []string{want}) {
		t.Errorf("the server saw %q, want %s", seen, want)
	}
	if !strings.Contains(got, "\n  metadata  x-a: b\n  metadata  user-agent: "+want+"\n  message ") {
		t.Errorf("got %s", got)
	}
}

// UNAVAILABLE may be the server's own, with headers and trailers, or that of a connection, with none.
func TestOneCallThatIsUnavailableHasWhatTheServerSaid(t *testing.T) {
	t.Parallel()
	shop := openShop(t)
	got, _ := called(t, 1, shop.address, "--call", "shop.v1.Shop/Get", "--data", `{"name": "away"}`)
	want := "shop.v1.Shop/Get at " + shop.address + `: UNAVAILABLE: the shop moves

Request
  message   6 B  {"name":"away"}

Reply
  header    content-type: application/grpc
  header    x-shard: 7
  message   none
  trailer   x-retry: 9

Time
  resolve
  connect
  call
  total
`
	if diff := cmp.Diff(want, times.ReplaceAllString(got, "$1")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Streams of every type are read to their end, and one without an end as far as anybody reads.
func TestOneCallOfAStreamHasAllMessages(t *testing.T) {
	t.Parallel()
	shop := openShop(t)
	for _, c := range []struct {
		method, data  string
		sent, replies int
		cut           bool
	}{
		{"List", `{"name": "nail", "count": 3}`, 1, 3, false},
		{"List", `{"name": "nail", "count": -1}`, 1, 100, true},
		{"Put", `[{"name": "nail"}, {"name": "bolt"}]`, 2, 1, false},
		{"Chat", `[{"name": "nail"}, {"name": "bolt"}]`, 2, 2, false},
	} {
		got, _ := called(t, 0, shop.address, "--call", "shop.v1.Shop/"+c.method, "--data", c.data, "--format", "json")
		var made struct {
			Status         struct{ OK bool }
			Request, Reply struct {
				Messages []json.RawMessage
				Cut      bool
			}
		}
		if err := json.Unmarshal([]byte(got), &made); err != nil {
			t.Fatal(err)
		}
		if !made.Status.OK || len(made.Request.Messages) != c.sent || len(made.Reply.Messages) != c.replies ||
			made.Reply.Cut != c.cut {
			t.Errorf("%s: %+v, want %d sent and %d replies", c.method, made, c.sent, c.replies)
		}
	}
}

func TestOneCallOfAURLIsPrintedWhole(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Date"] = nil
		w.Header().Set("Set-Cookie", "hush")
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write([]byte("short\n\x1b[31mand stout\n"))
	}))
	t.Cleanup(server.Close)
	got, said := called(t, 1, server.URL+"/pot?key=hush", "--data", `{"a": 1}`)
	want := "POST /pot?key=… at " + server.URL + `: 418 I'm a teapot

Request
  metadata  content-type: application/json
  message   8 B  {"a": 1}

Reply
  header    content-length: 21
  header    content-type: text/plain; charset=utf-8
  header    set-cookie: …
  message   21 B
    short
    [31mand stout

Time
  resolve
  connect
  first byte
  reply
  total
`
	if diff := cmp.Diff(want, times.ReplaceAllString(got, "$1")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if said != "rpcbench: the call failed: 418 I'm a teapot\n" {
		t.Errorf("it says %s", said)
	}
}

func TestACallRefusesWhatItWouldIgnore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ flag, want string }{
		{"--rate=5", "--rate: call makes one call and keeps no results"},
		{"--out=x", "--out: call makes one call and keeps no results"},
		{"--format=csv", `--format: "csv" is unknown; known: text, json`},
	} {
		if _, said := called(t, 2, "127.0.0.1:1", c.flag); said != "rpcbench: "+c.want+"\n" {
			t.Errorf("%s: %s", c.flag, said)
		}
	}
}
