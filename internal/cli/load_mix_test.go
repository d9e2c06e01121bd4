package cli_test

import (
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
)

// Every call reaches the server as the seed draws it, on each stack, and the results have it by itself.
func TestAMixOfURLsIsSentAsDrawn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"http-wire", "http-json-go"} {
		var mu sync.Mutex
		came := map[string]int64{}
		web := openWeb(t, nil, false, func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			came[r.Method+" "+r.URL.Path]++
			mu.Unlock()
			if r.Method == http.MethodPut {
				http.NotFound(w, r)
				return
			}
			hello(w, r)
		})
		trial, _ := loaded(t, 0, "http://"+web, "--stack", name, "--calls", "100", "--mix", "70 GET /items/7",
			"--mix", "20% GET /search?q={{sequence}}", "--mix", `10 PUT /items/7 {"name": "x"}`)
		weights, drawn := stack.NewWeights(1, []uint64{70_000, 20_000, 10_000}), make([]int64, 3)
		for i := range uint64(100) {
			drawn[weights.Draw(i)]++
		}
		mixed := trial.Clients[0].Mixed
		for i, call := range []string{"GET /items/7", "GET /search", "PUT /items/7"} {
			if mixed[i].Arrivals != drawn[i] || came[call] < drawn[i] || trial.Spec.Method.Mix[i].Name != call {
				t.Errorf("%s: %s was called %d times, and came %d times, want %d", name, call, mixed[i].Arrivals, came[call], drawn[i])
			}
		}
		if mixed[2].Outcomes[0].Code != "HTTP_404" || mixed[0].PayloadIn != 5*drawn[0] ||
			trial.Clients[0].PayloadIn != 5*(drawn[0]+drawn[1]) {
			t.Errorf("%s: %+v", name, mixed)
		}
		report, err := analysis.Build([]*result.File{{Name: "f", Trials: []result.Trial{trial}}})
		if err != nil {
			t.Fatal(err)
		}
		if calls := report.Rows[0].Mixed; len(calls) != 3 || calls[1].Spec.MixedCall() != "GET /search" || calls[1].Calls != drawn[1] {
			t.Errorf("%s: the report has %+v", name, calls)
		}
	}
}

// Methods are called with their own requests; with an open load the draw is by arrival, however many slots there are.
func TestAMixOfMethodsIsSentAsDrawn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"grpc-go", "grpc-wire"} {
		s := openShop(t)
		trial, _ := loaded(t, 0, s.address, "--stack", name, "--calls", "40", "--rate", "2000", "--connections", "2",
			"--mix", `3 shop.v1.Shop/Get {"name": "nail"}`, "--mix", `1 shop.v1.Shop/Get {"name": "screw"}`)
		weights, drawn := stack.NewWeights(1, []uint64{3000, 1000}), make([]int64, 2)
		for i := range uint64(40) {
			drawn[weights.Draw(i)]++
		}
		mixed := trial.Clients[0].Mixed
		if mixed[0].Arrivals != drawn[0] || mixed[1].Arrivals != drawn[1] || mixed[0].PayloadOut != 6*drawn[0] ||
			mixed[1].PayloadOut != 7*drawn[1] || s.came()["screw"] != int(drawn[1]) {
			t.Errorf("%s: %+v, want %v calls", name, mixed, drawn)
		}
	}
}

func TestAMixThatCannotBeMadeIsOneSentence(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	web := "http://" + openWeb(t, nil, false, hello)
	for _, c := range []struct{ args, want string }{
		{web + "|--mix|70 GET items", `--mix: call 1: path: "items" does not begin with /`},
		{web + "|--mix|70", `--mix: weight 70 has no call; it is written as "WEIGHT METHOD /path [DATA]"`},
		{web + "|--mix|GET /", `--mix: "GET" is not a weight`},
		{web + "|--mix|0 GET /", `--mix: call 1: weight: "0" is not a weight: a number from 0.001 to 10^12`},
		{web + "|--mix|NaN GET /", `--mix: call 1: weight: "NaN" is not a weight`},
		{web + "|--mix|1e300 GET /", `--mix: call 1: weight: "1e300" is not a weight`},
		{web + "|--mix|1 GET /a|--data|x", "--data: each call of mix has its own"},
		{web + "/api|--mix|1 GET /a", "--mix: call 1: path: the target has the path /api already"},
		{web + "|--mix|1 GET /a|--mix|1 B(D /b", `B(D /b: "B(D" is not an HTTP method`},
		{
			s.address + "|--mix|1 shop.v1.Shop/Get|--mix|1 shop.v1.Shop/Gett",
			`shop.v1.Shop/Gett: the service shop.v1.Shop has no method "Gett"; did you mean "Get"?`,
		},
		{
			s.address + "|--mix|1 shop.v1.Shop/Get|--mix|1 shop.v1.Shop/List",
			"shop.v1.Shop/List: its kind is download, and a mix has unary",
		},
		{s.address + "|--mix|1 shop.v1.Shop/Get|--kind|stream", "only cases of kind unary support it"},
	} {
		args := append([]string{"load"}, strings.Split(c.args, "|")...)
		said, err := exec.Command("rpcbench", args...).CombinedOutput()
		if code(err) != 2 || !strings.Contains(string(said), c.want) || strings.Count(strings.TrimSpace(string(said)), "\n") > 0 {
			t.Errorf("%v: exit code %d: %s\nwant %s", args[1:], code(err), said, c.want)
		}
	}
}
