package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/remotecommand"

	"rpcbench/internal/run/child"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/patience"
)

// A Host is a Pod of a Pool, or its successor once that Pod is gone.
type Host struct {
	pool   *Pool
	id     string // in results
	member int    // of the Pool, from 1

	mu      sync.Mutex
	pod     string // empty if there is none
	address string
	attempt int  // how many Pods there were before
	spoiled bool // what is in the Pod is not known any more
}

// Prepare has a host ready for workers: its Pod runs, with this version of rpcbench. The error names the host.
func (p *Pool) Prepare(ctx context.Context, id string, member int) (*Host, error) {
	h := &Host{pool: p, id: id, member: member}
	if _, _, err := h.ready(ctx); err != nil {
		return nil, fmt.Errorf("host %s: %w", id, err)
	}
	return h, nil
}

// Address returns the address at which processes in the cluster reach the Pod.
func (h *Host) Address() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.address
}

// Launch implements launch.Launcher, for workers of this binary.
func (h *Host) Launch(ctx context.Context, order launch.Order) (launch.Process, error) {
	if len(order.CPUs) > 0 {
		return nil, fmt.Errorf("host %s: %w", h.id, ErrCPUs)
	}
	pod, at, err := h.ready(ctx)
	if err != nil {
		return nil, fmt.Errorf("host %s: %w", h.id, err)
	}
	return h.start(pod, at, order.Output), nil
}

// ErrCPUs says that a Pod's processors are not chosen by number.
var ErrCPUs = errors.New("the processors of a Pod are those that its resources reserve, and are not chosen by number")

// ready returns a Pod that runs, and its address: the one that there was, or a new one.
func (h *Host) ready(ctx context.Context) (pod, address string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c, job, err := h.pool.owned(ctx)
	if err != nil {
		return "", "", err
	}
	if h.usable(ctx, c, job) {
		return h.pod, h.address, nil
	}
	if h.pod != "" {
		h.discard(ctx, c)
	}
	// The Pod may be there though the answer is an error, which the next call has to reckon with.
	h.pod, h.spoiled = podName(job.Name, h.member, h.attempt), true
	if _, err := c.pods.Create(ctx, podOf(h.pool.Spec, h.pod, h.id, h.pool.program(), h.pool.Variables, job),
		metav1.CreateOptions{}); err != nil {
		return "", "", refused("creating a Pod", err)
	}
	h.spoiled = false
	if h.address, err = h.await(ctx, c); err == nil {
		err = h.checkVersion(ctx, c)
	}
	if err != nil {
		h.spoiled = true
		return "", "", fmt.Errorf("Pod %s: %w", h.pod, err) //nolint:staticcheck // a Pod is spelled so
	}
	return h.pod, h.address, nil
}

// usable reports whether the existing Pod can take another worker.
func (h *Host) usable(ctx context.Context, c *cluster, owner *batchv1.Job) bool {
	if h.pod == "" || h.spoiled {
		return false
	}
	pod, err := c.pods.Get(ctx, h.pod, metav1.GetOptions{})
	return err == nil && stateOf(pod).ready &&
		slices.ContainsFunc(pod.OwnerReferences, func(r metav1.OwnerReference) bool { return r.UID == owner.UID })
}

// discard deletes the Pod, with all that may still run in it.
func (h *Host) discard(ctx context.Context, c *cluster) {
	_ = c.pods.Delete(ctx, h.pod, metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))}) // it may be gone, or goes with its owner
	h.pod, h.address = "", ""
	h.attempt++
}

// await waits until the Pod runs, and returns its address.
func (h *Host) await(ctx context.Context, c *cluster) (address string, err error) {
	most := timeOr(h.pool.Spec.StartTimeout, startTimeoutDefault)
	within, cancel := patience.WithTimeout(ctx, most)
	defer cancel()
	var last state
	read := time.Now()
	for {
		pod, err := c.pods.Get(within, h.pod, metav1.GetOptions{})
		switch {
		case err == nil:
			read = time.Now()
			if last = stateOf(pod); last.ready {
				return pod.Status.PodIP, nil
			}
		case apierrors.IsNotFound(err):
			last = state{hopeless: true, why: "it was deleted"}
		case within.Err() == nil:
			lasting := answered(err) && time.Since(read) >= refusalPatience
			last = state{hopeless: lasting, why: refused("reading the Pod", err).Error()}
		}
		if last.hopeless {
			return "", errors.New(last.why)
		}
		_ = patience.Pause(within, pollEvery)
		switch {
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case within.Err() != nil:
			return "", fmt.Errorf("it does not run after %v: %s", most, cmp.Or(last.why, "the cluster does not say why"))
		}
	}
}

// checkVersion holds the rpcbench of the image to this one's version.
func (h *Host) checkVersion(ctx context.Context, c *cluster) error {
	ctx, cancel := patience.WithTimeout(ctx, askPatience)
	defer cancel()
	var version, words child.Tail
	err := c.exec(ctx, h.pod, []string{h.pool.program(), "--version"}, remotecommand.StreamOptions{Stdout: &version, Stderr: &words})
	if err != nil {
		return fmt.Errorf("%s --version failed: %s", h.pool.program(), cmp.Or(launch.LastLine(words.String()), said(err)))
	}
	if got, _, _ := strings.Cut(version.String(), "\n"); got != h.pool.Version {
		return fmt.Errorf("the image %s holds %.80q, and this is %q: use the image of this version",
			h.pool.Spec.Image, got, h.pool.Version)
	}
	return nil
}

// spoil has the next worker start in a new Pod.
func (h *Host) spoil(pod string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pod == pod {
		h.spoiled = true
	}
}

// fate describes what became of the Pod, as far as the cluster knows. It is empty if the Pod runs.
func (h *Host) fate(pod string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	h.pool.mu.Lock()
	c := h.pool.cluster
	h.pool.mu.Unlock()
	found, err := c.pods.Get(ctx, pod, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return "it was deleted"
	case err != nil:
		return said(refused("reading the Pod", err))
	default:
		return ended(found) + on(found)
	}
}

// on names the node of a Pod that has ended.
func on(pod *corev1.Pod) string {
	if ended(pod) == "" || pod.Spec.NodeName == "" {
		return ""
	}
	return ", on the node " + pod.Spec.NodeName
}
