package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	fixture "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/remotecommand"
	codes "k8s.io/client-go/util/exec"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/control"
)

var everything = metav1.ListOptions{}

func prepare(t *testing.T, p *Pool, member int) *Host {
	t.Helper()
	h, err := p.Prepare(t.Context(), fmt.Sprintf("pool-%d", member), member)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return h
}

func TestEveryHostHasAPodUntilThePoolIsClosed(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	p := f.pool()
	addresses := map[string]bool{}
	for member := 1; member <= 4; member++ {
		addresses[prepare(t, p, member).Address()] = true
	}
	pods, jobs := f.there(t)
	if len(pods) != 4 || len(jobs) != 1 || len(addresses) != 4 {
		t.Fatalf("%d Pods with %d addresses, %d Jobs; want 4, 4 and 1", len(pods), len(addresses), len(jobs))
	}
	for i, pod := range pods {
		if pod.Name != fmt.Sprintf("%s-%d", jobs[0].Name, i+1) || pod.Labels[LabelHost] != fmt.Sprintf("pool-%d", i+1) ||
			pod.Labels[LabelRun] != jobs[0].Name || pod.OwnerReferences[0].UID != jobs[0].UID {
			t.Errorf("Pod %s with labels %v and owner %v", pod.Name, pod.Labels, pod.OwnerReferences)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if pods, jobs := f.there(t); len(pods) != 0 || len(jobs) != 0 {
		t.Errorf("%d Pods and %d Jobs are left", len(pods), len(jobs))
	}
}

func TestAWorkerSpeaksThroughItsStream(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	h := prepare(t, f.pool(), 1)
	w, err := launch.Start(t.Context(), h, launch.Order{})
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Host(); got.ID != "pool-1" || got.Address != h.Address() || got.Address == "" {
		t.Errorf("host %v, want that of the Pod, %s", got, h.Address())
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if w.LastWords() != "obeying" {
		t.Errorf("last words %q", w.LastWords())
	}
	again, err := launch.Start(t.Context(), h, launch.Order{})
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
	if pods, _ := f.there(t); len(pods) != 1 {
		t.Errorf("%d Pods, want the same one", len(pods))
	}
}

// The time to live counts from the Job's completion, soon after it was made.
func TestTheOwnerIsProlongedUntilThePoolIsClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		p := f.pool()
		prepare(t, p, 1)
		for i := range 12 {
			time.Sleep(renewEvery)
			synctest.Wait()
			_, jobs := f.there(t)
			want := int32((time.Duration(i+1)*renewEvery + leaseTime) / time.Second)
			if got := *jobs[0].Spec.TTLSecondsAfterFinished; got != want {
				t.Fatalf("after %v it lives for %d s, want %d", time.Duration(i+1)*renewEvery, got, want)
			}
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		f.ClearActions()
		time.Sleep(time.Minute)
		if n := len(f.Actions()); n != 0 {
			t.Errorf("%d requests after the end", n)
		}
	})
}

func TestAPodThatIsDeletedIsNamedAndReplaced(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	gone := make(chan struct{})
	f.worker = func(_ context.Context, _ string, s remotecommand.StreamOptions) error {
		go func() { <-gone; _, _ = s.Stdin.Read(nil) }()
		_ = control.NewEventWriter(s.Stdout).Write(&control.Hello{Protocol: control.Version})
		<-gone
		return codes.CodeExitError{Err: errors.New("command terminated with exit code 137"), Code: 137}
	}
	h := prepare(t, f.pool(), 2)
	w, err := launch.Start(t.Context(), h, launch.Order{})
	if err != nil {
		t.Fatal(err)
	}
	pods, _ := f.there(t)
	if err := f.cluster().pods.Delete(t.Context(), pods[0].Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	close(gone)
	<-w.Ended()
	wantSentence(t, w.Close(), "Pod "+pods[0].Name+": it was deleted")
	f.worker = nil
	next, err := launch.Start(t.Context(), h, launch.Order{})
	if err != nil {
		t.Fatal(err)
	}
	_ = next.Close()
	if now, _ := f.there(t); len(now) != 1 || now[0].Name != pods[0].Name+"-1" {
		t.Errorf("%d Pods, the first %s; want %s-1", len(now), now[0].Name, pods[0].Name)
	}
}

// deaf are Pods of an API server whose first answer to a Create is lost on its way, after the Pod was stored.
type deaf struct {
	pods

	lost bool
}

func (d *deaf) Create(ctx context.Context, pod *corev1.Pod, options metav1.CreateOptions) (*corev1.Pod, error) {
	made, err := d.pods.Create(ctx, pod, options)
	if err != nil || d.lost {
		return made, err
	}
	d.lost = true
	return nil, errors.New("read tcp 192.0.2.1:6443: connection reset by peer")
}

func TestAPodWhoseCreationWasNotHeardOfIsReplaced(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	p := f.pool()
	h := prepare(t, p, 1)
	first, _ := f.there(t)
	if err := f.cluster().pods.Delete(t.Context(), first[0].Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	p.cluster.pods = &deaf{pods: p.cluster.pods}
	if _, err := h.Launch(t.Context(), launch.Order{}); err == nil || !strings.Contains(err.Error(), "connection reset") {
		t.Errorf("a creation without an answer: %v", err)
	}
	if w, err := launch.Start(t.Context(), h, launch.Order{}); err != nil {
		t.Error(err)
	} else {
		_ = w.Close()
	}
	if now, _ := f.there(t); len(now) != 1 {
		t.Errorf("%d Pods, want 1", len(now))
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if pods, jobs := f.there(t); len(pods) != 0 || len(jobs) != 0 {
		t.Errorf("%d Pods and %d Jobs are left", len(pods), len(jobs))
	}
}

func TestAPodInWhichAWorkerWasKilledTakesNoOther(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.worker = func(ctx context.Context, _ string, _ remotecommand.StreamOptions) error { // and says nothing
		<-ctx.Done()
		return ctx.Err()
	}
	h := prepare(t, f.pool(), 1)
	before, _ := f.there(t)
	process, err := h.Launch(t.Context(), launch.Order{})
	if err != nil {
		t.Fatal(err)
	}
	process.Kill()
	if _, killed := errors.AsType[*launch.KilledError](process.Wait()); !killed {
		t.Errorf("%v, want a KilledError", process.Wait())
	}
	process.Kill() // of one that is gone is nothing
	if _, err := io.ReadAll(process); err != nil {
		t.Errorf("its output ends with %v", err)
	}
	if next, err := h.Launch(t.Context(), launch.Order{}); err != nil {
		t.Error(err)
	} else {
		next.Kill()
		_ = next.Wait()
	}
	after, _ := f.there(t)
	if len(after) != 1 || after[0].Name == before[0].Name {
		t.Errorf("%d Pods, the first %s, which is not to be %s", len(after), after[0].Name, before[0].Name)
	}
}

func TestAnOwnerThatTheClusterRemovedIsMadeAnew(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	h := prepare(t, f.pool(), 1)
	_, jobs := f.there(t)
	if err := f.cluster().jobs.Delete(t.Context(), jobs[0].Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	w, err := launch.Start(t.Context(), h, launch.Order{})
	if err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	pods, now := f.there(t)
	if len(now) != 1 || now[0].Name == jobs[0].Name {
		t.Fatalf("Jobs %v, want a new one", now)
	}
	owned := func(p corev1.Pod) bool { return p.OwnerReferences[0].UID == now[0].UID }
	if !slices.ContainsFunc(pods, owned) {
		t.Error("no Pod has the new owner")
	}
}

func TestAStreamThatBreaksIsTheApiServers(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.worker = func(context.Context, string, remotecommand.StreamOptions) error {
		return &net.OpError{Op: "read", Err: errors.New("connection reset by peer")}
	}
	h := prepare(t, f.pool(), 1)
	process, err := h.Launch(t.Context(), launch.Order{})
	if err != nil {
		t.Fatal(err)
	}
	wantSentence(t, process.Wait(), "the stream through the Kubernetes API server broke: read: connection reset by peer")
}

func TestWhatKeepsAPodFromRunningIsOneSentence(t *testing.T) {
	t.Parallel()
	waiting := func(reason, message string) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{
				{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}},
			}
		}
	}
	ended := func(t corev1.ContainerStateTerminated) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Status.Phase = corev1.PodFailed
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Terminated: &t}}}
		}
	}
	refusing := func(err error, verb, resource string) func(*fake) {
		return func(f *fake) {
			f.refuse = func(v, r string) error {
				if v == verb && r == resource {
					return err
				}
				return nil
			}
		}
	}
	node := func(n func(*corev1.Pod)) func(*fake) { return func(f *fake) { f.node = n } }
	for name, c := range map[string]struct {
		set  func(*fake)
		want string
	}{
		"quota": {
			refusing(forbidden("pods", "exceeded quota: small, requested: limits.cpu=1, used: limits.cpu=2"), "create", "pods"),
			"the quota of the namespace has no room: exceeded quota: small, requested: limits.cpu=1",
		},
		"security": {
			refusing(forbidden("pods", `violates PodSecurity "restricted:latest": x`), "create", "pods"),
			`the namespace does not take the Pod: violates PodSecurity "restricted:latest": x`,
		},
		"rights": {
			refusing(forbidden("jobs", `User "me" cannot create resource "jobs"`), "create", "jobs"),
			`creating the Job that owns the Pods is not allowed: User "me" cannot create resource "jobs"; docs/kubernetes.md has the Role`,
		},
		"image missing": {
			node(waiting("ErrImageNeverPull", "x")),
			"its node does not have the image rpcbench:1, and pull_policy is Never",
		},
		"image not there": {
			node(waiting("ImagePullBackOff", "Back-off:\n not found")),
			"the image rpcbench:1 can't be pulled: Back-off: not found",
		},
		"image slow": {
			node(waiting("ErrImagePull", "no route")),
			"it does not run after 2m0s: the image rpcbench:1 can't be pulled: no route",
		},
		"no container": {
			node(waiting("CreateContainerError", "no such user")),
			"its container can't be started: no such user",
		},
		"no program": {
			node(ended(corev1.ContainerStateTerminated{ExitCode: 128, Message: `exec: "rpcbench": executable file not found in $PATH`})),
			`its container ended: exec: "rpcbench": executable file not found in $PATH`,
		},
		"no memory": {
			node(ended(corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled"})),
			"its memory was used up (OOMKilled)",
		},
		"crash": {node(ended(corev1.ContainerStateTerminated{ExitCode: 2})), "its container ended with code 2"},
		"evicted": {
			node(func(p *corev1.Pod) {
				p.Status = corev1.PodStatus{Phase: corev1.PodFailed, Reason: "Evicted", Message: "The node was low on memory."}
			}),
			"it ended: Evicted: The node was low on memory.",
		},
		"no node": {
			node(func(p *corev1.Pod) {
				p.Status.Conditions = []corev1.PodCondition{
					{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Message: "0/1 nodes are available: 1 Insufficient cpu."},
				}
			}),
			"it does not run after 2m0s: no node takes it: 0/1 nodes are available: 1 Insufficient cpu.",
		},
		"version": {
			func(f *fake) { f.says = "rpcbench version 2" },
			`the image rpcbench:1 holds "rpcbench version 2", and this is "rpcbench version 1"`,
		},
		"unreachable": {
			func(f *fake) { f.lost = true },
			"the Kubernetes API server can't be reached: dial tcp 192.0.2.1:6443: connect: connection refused",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFake(t)
				c.set(f)
				p := f.pool()
				_, err := p.Prepare(t.Context(), "pool-1", 1)
				wantSentence(t, err, "host pool-1: ", c.want)
				f.mu.Lock()
				f.lost, f.refuse = false, nil
				f.mu.Unlock()
				if err := p.Close(); err != nil {
					t.Error(err)
				}
				if pods, jobs := f.there(t); len(pods)+len(jobs) != 0 {
					t.Errorf("%d Pods and %d Jobs are left", len(pods), len(jobs))
				}
			})
		})
	}
}

// An API server that was just started knows no Role for a moment.
func TestARefusalThatPassesKeepsNoPodFromRunning(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		refusals int
		want     string
	}{
		"soon": {5, ""}, "late": {1000, `reading the Pod is not allowed: User "me" cannot get resource "pods"; docs/kubernetes.md`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFake(t)
				left := c.refusals
				f.refuse = func(verb, resource string) error {
					if left--; verb == "get" && resource == "pods" && left > 0 {
						return forbidden("pods", `User "me" cannot get resource "pods"`)
					}
					return nil
				}
				p := f.pool()
				begun := time.Now()
				_, err := p.Prepare(t.Context(), "pool-1", 1)
				if c.want == "" && err != nil {
					t.Error(err)
				} else if c.want != "" {
					wantSentence(t, err, c.want)
				}
				if took := time.Since(begun); took > refusalPatience+pollEvery {
					t.Errorf("it took %v, want no more than %v", took, refusalPatience)
				}
				_ = p.Close()
			})
		})
	}
}

// One that restarts would otherwise fail all trials that are left, each at once.
func TestAnAPIServerThatRestartsIsWaitedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		back time.Duration // after which it answers
		took time.Duration
		want string
	}{
		"back":    {29500 * time.Millisecond, 30 * time.Second, ""}, // it is asked once a second
		"not yet": {time.Hour, time.Minute, "host pool-1: the Kubernetes API server can't be reached: dial tcp"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFake(t)
				h := prepare(t, f.pool(), 1)
				f.mu.Lock()
				f.lost = true
				f.mu.Unlock()
				time.AfterFunc(c.back, func() {
					f.mu.Lock()
					defer f.mu.Unlock()
					f.lost = false
				})
				begun := time.Now()
				worker, err := launch.Start(t.Context(), h, launch.Order{})
				if took := time.Since(begun); took != c.took {
					t.Errorf("it took %v, want %v", took, c.took)
				}
				if c.want != "" {
					wantSentence(t, err, c.want)
				} else if err != nil {
					t.Error(err)
				} else if err := worker.Close(); err != nil {
					t.Error(err)
				}
				time.Sleep(c.back)
				_ = h.pool.Close()
			})
		})
	}
}

func TestWhoIsInterruptedWaitsForNoPod(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		f.node = func(*corev1.Pod) {}
		p := f.pool()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		begun := time.Now()
		if _, err := p.Prepare(ctx, "pool-1", 1); !errors.Is(err, context.Canceled) || time.Since(begun) != time.Second {
			t.Errorf("%v after %v, want a cancellation after 1s", err, time.Since(begun))
		}
		_ = p.Close()
	})
}

func TestPodsThatCannotBeRemovedAreNamed(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	p := f.pool()
	prepare(t, p, 1)
	f.mu.Lock()
	f.lost = true
	f.mu.Unlock()
	wantSentence(t, p.Close(), "pool: the Pods with the label rpcbench/run=rpcbench-pool-", "which the cluster does within 30s")
}

func TestProcessorsOfAPodAreNotChosen(t *testing.T) {
	t.Parallel()
	h := prepare(t, newFake(t).pool(), 1)
	_, err := h.Launch(t.Context(), launch.Order{CPUs: []int{1}})
	wantSentence(t, err, "host pool-1: the processors of a Pod are those that its resources reserve")
}

// Kubernetes refuses other changes to a Job.
func TestARenewalChangesNothingElse(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	p := f.pool()
	prepare(t, p, 1)
	if _, err := p.owner.renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, a := range f.Actions() {
		patch, ok := a.(fixture.PatchAction)
		if !ok {
			continue
		}
		var got map[string]map[string]int
		if err := json.Unmarshal(patch.GetPatch(), &got); err != nil || len(got) != 1 || len(got["spec"]) != 1 {
			t.Errorf("patch %s: %v", patch.GetPatch(), err)
		}
		return
	}
	t.Error("no renewal was sent")
}

// wantSentence checks that err is one line that has the parts.
func wantSentence(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line that says %q", err, part)
		}
	}
}
