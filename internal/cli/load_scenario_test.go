package cli_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"rpcbench/internal/results/result"
)

// planned are the ids of the trials that a scenario's file plans.
func planned(t *testing.T, folder, file string) []string {
	t.Helper()
	command := exec.Command("rpcbench", "plan", file, "--trust", file, "--format", "json")
	command.Dir = folder
	said, err := command.Output()
	if err != nil {
		t.Fatalf("plan %s: %v: %s", file, err, said)
	}
	var p struct{ Trials []struct{ ID string } }
	if err := json.Unmarshal(said, &p); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, trial := range p.Trials {
		ids = append(ids, trial.ID)
	}
	return ids
}

// saved loads by flags that it saves as a scenario, and returns the folder of both, and the scenario.
func saved(t *testing.T, args ...string) (folder, text string) {
	t.Helper()
	folder = t.TempDir()
	command := exec.Command("rpcbench", append([]string{"load", "--out", "r.jsonl", "--save-scenario", "s.yaml"}, args...)...)
	command.Dir = folder
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %s", args, err, said)
	}
	scenario, err := os.ReadFile(filepath.Join(folder, "s.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return folder, string(scenario)
}

// A scenario that flags have written plans the trials of these flags.
func TestASavedScenarioPlansWhatItsFlagsDo(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	keys, certificate := serverKeys(t)
	secure := openTLSShop(t, certificate)
	web := "http://" + openWeb(t, nil, false, hello)
	folder := t.TempDir()
	path := func(name, text string) string {
		writeText(t, filepath.Join(folder, name), text)
		return filepath.Join(folder, name)
	}
	ca := path("ca.pem", string(keys.CAPEM))
	source := path("shop.proto", `syntax = "proto3"; package shop.v1; message Item { string name = 1; int32 count = 2; }
service Shop { rpc Get(Item) returns (Item); rpc Chat(stream Item) returns (stream Item); }`)
	set, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{s.file}})
	if err != nil {
		t.Fatal(err)
	}
	protoset, lines := path("shop.binpb", string(set)), path("items.jsonl", "{\"name\": \"nail\"}\n{\"name\": \"bolt\"}\n")
	token := path("token", "hush-hush")
	get := []string{s.address, "--call", "shop.v1.Shop/Get"}
	chat := []string{s.address, "--call", "shop.v1.Shop/Chat"}
	const few, short = "--calls 4 --warmup 0s ", "--warmup 0s "
	for flags, at := range map[string][]string{
		few: get,
		few + `-d {"name":"nail"} --in-flight 2 --connections 2`: get,
		few + "-d @" + lines + " --sample":                       get,
		few + "--data-file " + lines:                             get,
		few + "--proto " + source:                                get,
		few + "--proto shop.proto --import-path " + folder:       get,
		few + "--protoset " + protoset + " --stack grpc-go":      get,
		few + "-H x-a:b -m x-c:{{sequence}}":                     get,
		few + "--token-file " + token + " --authority shop":      get,
		few + "-e -t 5":                                                get,
		few + "--messages 3 -d [{},{}]":                                chat,
		few + "--kind ping_pong --in-flight 4 --streams 2":             chat,
		few + "--messages 3 --message-rate 500":                        chat,
		few + "--cacert " + ca + " --server-name server.rpcbench.test": {secure.address, "--call", "shop.v1.Shop/Get"},
		few + "--insecure-skip-verify --trials 2":                      {secure.address, "--call", "shop.v1.Shop/Get"},
		short + "--rate 100 --poisson --duration 0.1s":                 get,
		short + "--ramp line:50..100/s@0.1s":                           get,
		short + "--ramp step:50..100/50/s@0.1s --poisson":              get,
		short + "--ramp step:1..3/1@500ms --connections 2":             get,
		few + "--drain 3s":                                             {web + "/item?n={{sequence}}"},
		few + "-X put -d {} --option keep_alive=false":                 {web},
		few + "-A text/plain -T application/json -d {}":                {web},
		short + "-r 50 -z .1 --link lan --deadline 5s":                 {web},
	} {
		t.Run(flags, func(t *testing.T) {
			t.Parallel()
			folder, text := saved(t, append(strings.Fields(flags), at...)...)
			measured, err := result.ReadFile(filepath.Join(folder, "r.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, trial := range measured.Header.Plan {
				ids = append(ids, trial.ID)
			}
			if got := planned(t, folder, "s.yaml"); strings.Join(got, " ") != strings.Join(ids, " ") {
				t.Errorf("the trials are %v, and the flags' %v, by\n%s", got, ids, text)
			}
			if strings.Contains(text, "hush-hush") || strings.Contains(text, "BEGIN") {
				t.Errorf("it has a secret:\n%s", text)
			}
		})
	}
}

// What must not or can't stand in a file is refused before anything is sent.
func TestAScenarioIsNotSavedWithSecretsOrWithoutItsInput(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	web := "http://" + openWeb(t, nil, false, hello)
	const secret = ` looks like a secret, which a scenario does not hold: name a variable of the environment, {{env "NAME"}}`
	const others = ", or a file, @FILE; of a bearer token token_file or token_env"
	for want, args := range map[string][]string{
		`-H: metadata: the value of "authorization"` + secret + others: {
			s.address, "--call", "shop.v1.Shop/Get", "-H", "authorization: Bearer hush-hush"},
		`-H: metadata: the value of "x-api-key"` + secret + others: {
			s.address, "--call", "shop.v1.Shop/Get", "-H", `{"x-api-key": "hush-hush"}`},
		`-d: data: the value of "password"` + secret + ", or a file, data_file": {web, "-d", `{"password": "hush-hush"}`},
		web + `: target: the value of "token"` + secret:                         {web + "/?token=hush-hush"},
		"-d: data: a scenario can't read standard input: put it into a file, and name that": {
			s.address, "--call", "shop.v1.Shop/Get", "-d", "@-"},
	} {
		got := refusal(t, append(args, "--save-scenario", "s.yaml")...)
		if got != "rpcbench: --save-scenario: "+want {
			t.Errorf("%v:\ngot  %s\nwant %s", args, got, want)
		}
	}
	got := refusal(t, web, "-a", "me:hush-hush", "--save-scenario", "s.yaml")
	if !strings.Contains(got, `the value of "authorization" looks like a secret`) {
		t.Errorf("got %s", got)
	}
}

const twoMethods = `
name: shop
question: How fast is the shop?
defaults: {trials: 1, warmup: 0s, calls: 12, target: 'ADDRESS'}
cases:
  - {title: one item, call: shop.v1.Shop/Get, data: '{"name": "nail"}', metadata: {x-shop: '{{env "SHOP_KEY"}}'}}
  - {title: a chat, call: shop.v1.Shop/Chat, messages: 3, shape: 1x2}
`

// One file loads two methods, and asks before it does.
func TestAScenarioOfTwoMethodsIsMeasured(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	folder := write(t, strings.Replace(twoMethods, "ADDRESS", s.address, 1))
	run := func(args ...string) (string, int) {
		command := exec.Command("rpcbench", append([]string{"run", "mine.yaml", "--out", "r.jsonl"}, args...)...)
		command.Dir, command.Env = folder, append(os.Environ(), "SHOP_KEY=hush-hush")
		said, err := command.CombinedOutput()
		return string(said), code(err)
	}
	said, exit := run()
	for _, want := range []string{
		`mine.yaml would call "shop.v1.Shop/Get at ` + s.address + `", call "shop.v1.Shop/Chat at ` + s.address + `"`,
		"--trust mine.yaml",
	} {
		if exit != 2 || !strings.Contains(said, want) {
			t.Fatalf("exit code %d, without %q: %s", exit, want, said)
		}
	}
	if len(s.metadata()) > 0 {
		t.Fatalf("%v came before it was allowed", s.metadata())
	}
	if said, exit = run("--trust", "mine.yaml"); exit != 0 {
		t.Fatalf("exit code %d: %s", exit, said)
	}
	file := whole(t, filepath.Join(folder, "r.jsonl"))
	traffics := map[string]traffic{}
	for _, trial := range file.Trials {
		traffics[trial.Spec.Kind+" "+trial.Spec.Method.Name] = trafficOf(trial)
	}
	if got := traffics["unary shop.v1.Shop/Get"]; got != (traffic{12, 12, 12, 72, 72}) {
		t.Errorf("Get carried %+v", got)
	}
	if got := traffics["stream shop.v1.Shop/Chat"]; got != (traffic{12, 36, 36, 0, 0}) || len(traffics) != 2 {
		t.Errorf("Chat carried %+v of %v", got, traffics)
	}
	for _, from := range s.metadata() {
		if key := from["x-shop"]; len(key) > 0 && key[0] != "hush-hush" {
			t.Errorf("a call came with %v", key)
		}
	}
	if text, err := os.ReadFile(filepath.Join(folder, "r.jsonl")); err != nil || strings.Contains(string(text), "hush-hush") {
		t.Errorf("results have the key: %v", err)
	}
}

// The environment is asked for where a scenario sends it, also in a URL.
func TestAScenariosVariablesAreAskedFor(t *testing.T) {
	t.Parallel()
	called := make(chan struct{}, 100)
	web := "http://" + openWeb(t, nil, false, func(http.ResponseWriter, *http.Request) { called <- struct{}{} })
	folder := write(t, "name: x\nquestion: y\ncases:\n- {title: a, calls: 2, target: '"+web+`/?home={{env "HOME"}}'}`+"\n")
	command := exec.Command("rpcbench", "plan", "mine.yaml", "--set", "target="+web+`/{{env "HOME"}}`)
	command.Dir = folder
	said, err := command.CombinedOutput()
	if code(err) != 2 || !strings.Contains(string(said), `send the environment variable "HOME"`) {
		t.Errorf("%v: %s", err, said)
	}
	if len(called) > 0 {
		t.Error("it was called")
	}
}
