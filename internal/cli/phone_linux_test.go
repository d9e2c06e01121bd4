package cli_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"

	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/codec"
	"rpcbench/internal/stack/connectgo"
	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/credential"
)

// A tab plays a browser that has the page open: its workers host Go's stacks under the names of a page's.
type tab struct {
	t    *testing.T
	base string // the page's address, ws://
	conn *websocket.Conn
}

func pageStacks() []stack.Stack {
	return []stack.Stack{
		renamed{connectgo.New(), "connect-web", true, false}, renamed{connectgo.NewJSON(), "connect-web-json", true, false},
		renamed{connectgo.New(), "grpc-web", true, false},
		renamed{httpjson.New(), "http-json-fetch", true, false}, renamed{codec.New(), "codec-js", true, false},
	}
}

// openPhone starts rpcbench phone in a folder, and returns the page's address.
func openPhone(t *testing.T, folder string, flags ...string) (address string) {
	t.Helper()
	return serving(t, folder, append([]string{"phone", "--listen", "127.0.0.1:0"}, flags...)...)
}

// serving starts a command of rpcbench that serves until it is interrupted, and returns the address that it prints.
func serving(t *testing.T, folder string, args ...string) (address string) {
	t.Helper()
	command := exec.Command("rpcbench", args...)
	command.Dir, command.Stderr = folder, t.Output()
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }() // the reports
	t.Cleanup(func() {
		if err := command.Process.Signal(syscall.SIGINT); err != nil {
			t.Error(err)
		}
		if err := command.Wait(); err != nil {
			t.Errorf("%s ended with %v", args[0], err)
		}
	})
	return strings.TrimSpace(line)
}

func openTab(t *testing.T, address string) *tab {
	t.Helper()
	base := "ws" + strings.TrimPrefix(address, "http")
	conn, response, err := websocket.DefaultDialer.DialContext(t.Context(), base+"page", nil)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	t.Cleanup(func() { conn.Close() })
	return &tab{t, base, conn}
}

func (b *tab) say(kind string) {
	b.t.Helper()
	if err := b.conn.WriteJSON(map[string]string{"kind": kind}); err != nil {
		b.t.Fatal(err)
	}
}

// await reads what the page is told until it is of one of the kinds, and starts the workers that are asked for meanwhile.
func (b *tab) await(kinds ...string) map[string]any {
	b.t.Helper()
	for {
		var told map[string]any
		if err := b.conn.ReadJSON(&told); err != nil {
			b.t.Fatalf("waiting for %s: %v", kinds, err)
		}
		kind, _ := told["kind"].(string)
		if kind == "start" {
			id, _ := told["id"].(string)
			b.start(id)
		}
		if slices.Contains(kinds, kind) {
			return told
		}
	}
}

// start starts a worker as a page does. A canceled run no longer waits for the worker that it asked for.
func (b *tab) start(id string) {
	b.t.Helper()
	conn, response, err := websocket.DefaultDialer.DialContext(b.t.Context(), b.base+"worker/"+id, nil)
	if errors.Is(err, websocket.ErrBadHandshake) && response.StatusCode == http.StatusNotFound {
		return
	}
	if err != nil {
		b.t.Fatal(err)
	}
	response.Body.Close()
	commands, in := io.Pipe()
	go func() {
		for {
			_, message, err := conn.ReadMessage()
			if err != nil {
				in.Close()
				return
			}
			if _, err := in.Write(message); err != nil {
				return
			}
		}
	}()
	go func() {
		_ = worker.Run(context.Background(), commands, socketWriter{conn}, pageStacks())
		conn.Close()
	}()
}

type socketWriter struct{ conn *websocket.Conn }

func (w socketWriter) Write(b []byte) (int, error) {
	return len(b), w.conn.WriteMessage(websocket.BinaryMessage, b)
}

// echo asks for three trials of an echo, and short for few calls in each: a page that is slow to begin makes none in a duration.
var (
	echo  = []string{"--case", "Echo", "--set", "request_bytes=100", "--trials", "1", "--warmup", "100ms"}
	short = slices.Concat(echo, []string{"--set", "calls=20"})
)

// onlyFile reads the results file that a run made in a folder.
func onlyFile(t *testing.T, folder string) *result.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%d results files, %v", len(names), err)
	}
	file, err := result.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestABrowserMeasuresWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	address := openPhone(t, folder, short...)
	page := openTab(t, address)
	if plan := page.await("plan", "refused"); plan["trials"] != 3.0 || !strings.HasPrefix(plan["title"].(string), "How do Connect") {
		t.Errorf("planned %v", plan)
	}
	page.say("run")
	for i := range 3 {
		trial := page.await("trial")
		name, _ := trial["name"].(string)
		if trial["done"] != float64(i) || trial["of"] != 3.0 || !strings.HasPrefix(name, "unary: request bytes 100: ") {
			t.Errorf("trial %d is %v", i, trial)
		}
	}
	ended := page.await("ended")
	if ended["failed"] != 0.0 || ended["report"] != true || ended["cancelled"] != false || ended["text"] != nil {
		t.Errorf("ended with %v", ended)
	}
	file := onlyFile(t, folder)
	stacks := map[string]string{}
	for _, trial := range file.Trials {
		stacks[trial.Spec.Stack] = trial.Spec.Server
		if trial.Status != result.StatusOK || len(trial.Clients[0].Outcomes) != 1 || trial.Spec.Options["allow_origin"] != "*" {
			t.Errorf("%s: %s %s, %+v, options %v", trial.Spec.Stack, trial.Status, trial.Failure, trial.Clients[0].Outcomes,
				trial.Spec.Options)
		}
	}
	want := map[string]string{"connect-web": "connect-go", "grpc-web": "connect-go", "http-json-fetch": "http-json-go"}
	if len(stacks) != 3 || stacks["connect-web"] != want["connect-web"] || stacks["grpc-web"] != want["grpc-web"] ||
		stacks["http-json-fetch"] != want["http-json-fetch"] {
		t.Errorf("measured %v, want %v", stacks, want)
	}
	if got := fetched(t, address+"report"); !strings.Contains(got, "http-json-fetch") || !strings.HasPrefix(got, "<!") {
		t.Errorf("the report is %.200s", got)
	}
}

func TestACancelledRunKeepsWhatItMeasured(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	page := openTab(t, openPhone(t, folder, slices.Concat(echo, []string{"--duration", "1h"})...))
	page.await("plan", "refused")
	page.say("run")
	for interval := page.await("interval"); interval["warming"] != false; interval = page.await("interval") {
	}
	page.say("cancel")
	if ended := page.await("ended"); ended["cancelled"] != true || ended["report"] != true {
		t.Errorf("ended with %v", ended)
	}
	if file := onlyFile(t, folder); len(file.Trials) != 1 || !file.Trials[0].Interrupted {
		t.Errorf("%d trials are in the file", len(file.Trials))
	}
}

// A page that is closed in the middle of a trial, or has lost its network, leaves the trials before; and comes again.
func TestAPageThatGoesEndsItsRun(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	address := openPhone(t, folder, short...)
	lost := openTab(t, address)
	lost.await("plan", "refused")
	lost.say("run")
	for trial := lost.await("trial"); trial["done"] != 1.0; trial = lost.await("trial") {
	}
	lost.conn.Close()
	again := openTab(t, address)
	if plan := again.await("plan", "refused"); plan["trials"] != 3.0 {
		t.Errorf("planned %v", plan)
	}
	file := onlyFile(t, folder)
	if len(file.Trials) == 0 || file.Trials[0].Status != result.StatusOK {
		t.Errorf("the file has %d trials", len(file.Trials))
	}
}

// The same command with --resume measures what is left. A file that is there is not replaced, and the page says so.
func TestARunInABrowserIsContinued(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	named := slices.Concat(short, []string{"--out", "r.jsonl"})
	page := openTab(t, openPhone(t, folder, named...))
	page.await("plan", "refused")
	page.say("run")
	for trial := page.await("trial"); trial["done"] != 1.0; trial = page.await("trial") {
	}
	page.say("cancel")
	page.await("ended")
	before := len(onlyFile(t, folder).Trials)
	page.say("run")
	ended := page.await("ended")
	if why, _ := ended["text"].(string); ended["report"] != false || !strings.HasPrefix(why, "--out: r.jsonl exists already") {
		t.Errorf("the second run ended with %v", ended)
	}
	again := openTab(t, openPhone(t, folder, slices.Concat(named, []string{"--resume"})...))
	again.await("plan", "refused")
	again.say("run")
	if ended := again.await("ended"); ended["report"] != true || ended["failed"] != 0.0 {
		t.Errorf("what was left ended with %v", ended)
	}
	if after := len(onlyFile(t, folder).Trials); before == 3 || after != 3 {
		t.Errorf("%d trials at first, %d at last", before, after)
	}
}

// What was opened last has the page: a phone that has loaded it again.
func TestANewerPageTakesThePlaceOfAnOlder(t *testing.T) {
	t.Parallel()
	address := openPhone(t, t.TempDir(), short...)
	older := openTab(t, address)
	older.await("plan", "refused")
	newer := openTab(t, address)
	if _, _, err := older.conn.ReadMessage(); err == nil {
		t.Error("the older page was told something more")
	}
	if plan := newer.await("plan", "refused"); plan["kind"] != "plan" {
		t.Errorf("told %v", plan)
	}
}

func TestNobodyGetsThePageWithoutItsSecret(t *testing.T) {
	t.Parallel()
	address := openPhone(t, t.TempDir())
	root := address[:strings.LastIndex(strings.TrimSuffix(address, "/"), "/")+1]
	for path, want := range map[string]int{
		address: http.StatusOK, address + "worker.js": http.StatusOK, root: http.StatusNotFound, root + "page": http.StatusNotFound,
		root + "abcdefghijklmnop/": http.StatusNotFound, address + "report": http.StatusNotFound,
		address + "worker/ABCDEF": http.StatusNotFound, address + "page": http.StatusBadRequest, // no WebSocket
	} {
		response, err := http.Get(path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want || response.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %s, want %d", strings.TrimPrefix(path, root), response.Status, want)
		}
	}
}

// Nothing reaches 0.0.0.0 or [::] of another machine, and no certificate is for them. What the address names is this machine, so
// that here loopback may stand for it.
func TestTheAddressOfAServerOnAllAddressesCanBeOpened(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	keys := filepath.Join(folder, "keys")
	if err := credential.Create(keys); err != nil {
		t.Fatal(err)
	}
	writeText(t, filepath.Join(folder, "token"), archiveToken)
	ca, err := os.ReadFile(filepath.Join(keys, "ca.pem"))
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(ca)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: trusted},
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			_, port, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
		},
	}}
	defer client.CloseIdleConnections()
	for _, listen := range []string{"0.0.0.0:0", ":0"} {
		for command, scheme := range map[string]string{
			"phone": "http", "phone --credentials keys": "https",
			"archive serve history --cert keys/server.pem --key keys/server-key.pem --token-file token": "https",
		} {
			address := serving(t, folder, append(strings.Fields(command), "--listen", listen)...)
			at, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			if net.ParseIP(at.Hostname()).IsUnspecified() || at.Scheme != scheme {
				t.Errorf("%s --listen %s: %s", command, listen, address)
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+archiveToken)
			answer, err := client.Do(request)
			if err != nil {
				t.Errorf("%s --listen %s: %v", command, listen, err)
				continue
			}
			answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				t.Errorf("%s --listen %s: %s: %s", command, listen, address, answer.Status)
			}
		}
	}
}

func fetched(t *testing.T, address string) string {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", address, response.Status, err)
	}
	return string(text)
}
