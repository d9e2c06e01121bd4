package worker

import (
	"context"
	"errors"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
	"rpcbench/internal/worker/record"
)

// A shop is a connection to a foreign service. Its method /quick takes 10 ms, /hangs never ends, the others take 30 ms, and
// /fails fails.
type shop struct{ stack.Conn }

func (shop) Caller(call stack.Call, slot int) (stack.Caller, error) {
	return &visit{replies: stack.NewReplies(call, slot), path: call.Method.Path}, nil
}

type visit struct {
	replies stack.Replies
	path    string
}

func (v *visit) Call(ctx context.Context) error {
	v.replies.Begin()
	switch v.path {
	case "/quick":
		time.Sleep(10 * ms)
	case "/hangs":
		<-ctx.Done()
		return ctx.Err()
	case "/fails":
		time.Sleep(30 * ms)
		return stack.Errorf(stack.NotFound, "no such thing")
	default:
		time.Sleep(30 * ms)
	}
	v.replies.AddSent(5)
	v.replies.AddBytes(len(v.path))
	v.replies.End()
	return nil
}

func (v *visit) After() error { return v.replies.Verify() }

func shopping(t *testing.T, weights []uint64, paths ...string) *control.Session {
	t.Helper()
	var parts []*part
	for _, path := range paths {
		parts = append(parts, &part{call: stack.Call{Kind: stack.KindUnary, Method: &stack.Method{Path: path}}})
	}
	drawn := stack.NewWeights(3, weights)
	made, err := callsOn([]stack.Conn{shop{}}, stack.NetworkTCP, parts, drawn, 4)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	pool := load.NewSlotPool(load.Config{
		Mix: made.mix, Now: func() time.Duration { return time.Since(begun) }, Waiter: load.SleepWaiter{}, Deadline: time.Minute,
	})
	return connected(t, 4, &client{parts: parts, weights: drawn, pool: pool})
}

// The whole is exactly the sum of the calls of a mix: arrivals, outcomes, messages, bytes, the tail and both histograms.
func TestAMixIsTheSumOfItsCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := shopping(t, []uint64{70, 20, 10}, "/quick", "/slow", "/fails")
		for range 2 {
			done, _ := measured(t, s, time.Second)
			sum := &control.Done{}
			histograms := map[string]int64{}
			for i, one := range done.GetMixed() {
				sum.Arrivals += one.GetArrivals()
				addSums(sum, one)
				for _, h := range one.GetHistograms() {
					decoded, err := record.Decode(h.GetV2Compressed())
					if err != nil {
						t.Fatal(err)
					}
					histograms[h.GetName()] += decoded.TotalCount()
					if want := int64([]time.Duration{10 * ms, 30 * ms, 30 * ms}[i]); h.GetName() == "response" && i < 2 &&
						decoded.ValueAtQuantile(50)/int64(ms) != want/int64(ms) {
						t.Errorf("call %d took %v", i, time.Duration(decoded.ValueAtQuantile(50)))
					}
				}
			}
			if sum.GetArrivals() != done.GetArrivals() || sum.GetMessagesOut() != done.GetMessagesOut() ||
				sum.GetMessagesIn() != done.GetMessagesIn() || sum.GetPayloadBytesOut() != done.GetPayloadBytesOut() ||
				sum.GetPayloadBytesIn() != done.GetPayloadBytesIn() || sum.GetTail().String() != done.GetTail().String() {
				t.Errorf("the sum is %v, the whole %v", sum, done)
			}
			for _, h := range done.GetHistograms() {
				decoded, err := record.Decode(h.GetV2Compressed())
				if err != nil {
					t.Fatal(err)
				}
				if decoded.TotalCount() != histograms[h.GetName()] {
					t.Errorf("%s has %d samples, and the calls %d", h.GetName(), decoded.TotalCount(), histograms[h.GetName()])
				}
			}
			quick, slow, fails := done.GetMixed()[0], done.GetMixed()[1], done.GetMixed()[2]
			if okIn(quick) != quick.GetArrivals() || okIn(fails) != 0 || fails.GetOutcomes()[0].GetCode() != "NOT_FOUND" {
				t.Errorf("outcomes %v, %v", quick.GetOutcomes(), fails.GetOutcomes())
			}
			if quick.GetPayloadBytesIn() != 6*okIn(quick) || slow.GetPayloadBytesIn() != 5*okIn(slow) || fails.GetMessagesIn() != 0 {
				t.Errorf("%d bytes came for %d quick calls, %d for %d slow ones", quick.GetPayloadBytesIn(), okIn(quick),
					slow.GetPayloadBytesIn(), okIn(slow))
			}
		}
	})
}

// Calls that the deadline or the drain has ended say the same of the connections among those of their recipe as among all.
func TestTheCallsOfARecipeSayWhatConnectionsShow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		done, _ := measured(t, shopping(t, []uint64{1, 1}, "/quick", "/hangs"), 90*time.Second) // the deadline is a minute
		want := map[string]string{
			"DEADLINE_EXCEEDED": "the deadline passed: no socket was connected", "UNFINISHED": "no socket was connected",
		}
		for what, one := range map[string]*control.Done{"all": done, "the recipe": done.GetMixed()[1]} {
			said := map[string]string{}
			for _, o := range one.GetOutcomes() {
				if o.GetCode() != stack.OK.String() {
					said[o.GetCode()] = o.GetExample()
				}
			}
			if !maps.Equal(said, want) {
				t.Errorf("the calls of %s say %q, want %q", what, said, want)
			}
		}
	})
}

func TestAMixThatNoWorkerCanMake(t *testing.T) {
	t.Parallel()
	grpc := stack.Info{Name: "g", Protocol: stack.ProtocolGRPC, Methods: true}
	method := &control.Recipe{Method: "a.B/C"}
	good := func(change func(*control.Call)) *control.Call {
		call := &control.Call{Kind: stack.KindUnary, Mix: &control.Mix{Recipes: []*control.MixedRecipe{
			{Recipe: method, Weight: 1}, {Recipe: method, Weight: 2},
		}}}
		change(call)
		return call
	}
	for want, change := range map[string]func(*control.Call){
		"":                                    func(*control.Call) {},
		"connect.call.mix: there is a recipe": func(c *control.Call) { c.Recipe = method },
		"connect.call.kind: calls of a mix are unary, not stream": func(c *control.Call) { c.Kind = stack.KindStream },
		"connect.call.mix.recipes: a mix has at least one call":   func(c *control.Call) { c.Mix.Recipes = nil },
		"connect.call.mix.recipes: a call has no weight":          func(c *control.Call) { c.Mix.Recipes[1].Weight = 0 },
		"connect.call.mix.recipes: number 1: g speaks grpc": func(c *control.Call) {
			c.Mix.Recipes[1].Recipe = &control.Recipe{Url: "http://a/"}
		},
		"connect.call.mix.recipes: number 1 has another authority than number 0, and they share connections": func(c *control.Call) {
			c.Mix.Recipes[1].Recipe = &control.Recipe{Method: "a.B/C", Authority: "x"}
		},
	} {
		got := ""
		if fault, ok := errors.AsType[*control.FaultError](checkMix(grpc, good(change))); ok {
			got = fault.Field + ": " + fault.Message
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
