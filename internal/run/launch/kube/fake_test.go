package kube

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/gentype"
	fixture "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/remotecommand"

	"rpcbench/internal/worker/control"
)

const (
	space   = "bench"
	version = "rpcbench version 1"
)

// A fake is a cluster of client-go's fake, whose node starts Pods at once.
type fake struct {
	fixture.Fake

	mu     sync.Mutex
	uids   int
	node   func(*corev1.Pod)                                                          // what becomes of a new Pod; nil runs it
	refuse func(verb, resource string) error                                          // of the API server; nil takes all
	worker func(ctx context.Context, pod string, s remotecommand.StreamOptions) error // nil says Hello and ends with its input
	says   string                                                                     // as the version
	lost   bool                                                                       // the API server can't be reached
}

func newFake(t *testing.T) *fake {
	t.Helper()
	known := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, batchv1.AddToScheme} {
		if err := add(known); err != nil {
			t.Fatal(err)
		}
	}
	f := &fake{says: version + "\ncommit 0f3a, 2026-11-23T00:00:00Z"}
	tracker := fixture.NewObjectTracker(known, serializer.NewCodecFactory(known).UniversalDecoder())
	f.AddReactor("*", "*", fixture.ObjectReaction(tracker))
	f.PrependReactor("create", "*", f.create)
	f.PrependReactor("*", "*", func(a fixture.Action) (bool, runtime.Object, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.lost {
			return true, nil, fmt.Errorf("dial tcp 192.0.2.1:6443: connect: connection refused")
		}
		if f.refuse != nil {
			if err := f.refuse(a.GetVerb(), a.GetResource().Resource); err != nil {
				return true, nil, err
			}
		}
		return false, nil, nil
	})
	return f
}

// create fills in what a cluster adds to new objects.
func (f *fake) create(a fixture.Action) (bool, runtime.Object, error) {
	object := a.(fixture.CreateAction).GetObject()
	at, err := meta.Accessor(object)
	if err != nil {
		return true, nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.uids++
	at.SetUID(types.UID(fmt.Sprint("uid-", f.uids)))
	if pod, ok := object.(*corev1.Pod); ok {
		pod.Spec.NodeName = "node-1"
		if f.node == nil {
			run(pod, f.uids)
		} else {
			f.node(pod)
		}
	}
	return false, nil, nil
}

func run(pod *corev1.Pod, n int) {
	pod.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: fmt.Sprint("10.0.0.", n),
		ContainerStatuses: []corev1.ContainerStatus{{State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}},
	}
}

func (f *fake) cluster() *cluster {
	return &cluster{
		pods: gentype.NewFakeClientWithList(&f.Fake, space, corev1.SchemeGroupVersion.WithResource("pods"),
			corev1.SchemeGroupVersion.WithKind("Pod"),
			func() *corev1.Pod { return new(corev1.Pod) }, func() *corev1.PodList { return new(corev1.PodList) },
			func(to, from *corev1.PodList) { to.ListMeta = from.ListMeta },
			func(l *corev1.PodList) []*corev1.Pod { return gentype.ToPointerSlice(l.Items) },
			func(l *corev1.PodList, items []*corev1.Pod) { l.Items = gentype.FromPointerSlice(items) }),
		jobs: gentype.NewFakeClient(&f.Fake, space, batchv1.SchemeGroupVersion.WithResource("jobs"),
			batchv1.SchemeGroupVersion.WithKind("Job"), func() *batchv1.Job { return new(batchv1.Job) }),
		exec: f.exec,
	}
}

// exec runs programs of the image.
func (f *fake) exec(ctx context.Context, pod string, command []string, s remotecommand.StreamOptions) error {
	switch words := strings.Join(command, " "); words {
	case "rpcbench --version":
		_, err := io.WriteString(s.Stdout, f.says+"\n")
		return err
	case "rpcbench worker --tether":
		if f.worker != nil {
			return f.worker(ctx, pod, s)
		}
		return obey(ctx, s)
	default:
		return fmt.Errorf("no such command: %s", words)
	}
}

// obey is a worker that says Hello, and ends with its input.
func obey(ctx context.Context, s remotecommand.StreamOptions) error {
	_, _ = io.WriteString(s.Stderr, "obeying\n")
	if err := control.NewEventWriter(s.Stdout).Write(&control.Hello{Protocol: control.Version}); err != nil {
		return err
	}
	over := make(chan struct{})
	go func() { _, _ = io.Copy(io.Discard, s.Stdin); close(over) }()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (f *fake) pool() *Pool {
	return &Pool{
		Entry: "pool", Spec: Spec{Image: "rpcbench:1"}, Version: version,
		connect: func(Spec) (*cluster, error) { return f.cluster(), nil },
	}
}

// there are the objects of a kind.
func (f *fake) there(t *testing.T) (pods []corev1.Pod, jobs []batchv1.Job) {
	t.Helper()
	tracker := f.cluster()
	list, err := tracker.pods.List(t.Context(), everything)
	if err != nil {
		t.Fatal(err)
	}
	object, err := f.Invokes(fixture.NewListAction(batchv1.SchemeGroupVersion.WithResource("jobs"),
		batchv1.SchemeGroupVersion.WithKind("Job"), space, everything), &batchv1.JobList{})
	if err != nil {
		t.Fatal(err)
	}
	return list.Items, object.(*batchv1.JobList).Items
}

func forbidden(resource, why string) error {
	return apierrors.NewForbidden(corev1.Resource(resource), "x", fmt.Errorf("%s", why))
}
