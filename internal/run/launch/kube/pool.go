package kube

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rpcbench/internal/worker/patience"
)

// A Pool holds the Pods of an entry, and their owner. It connects when the first Pod is needed.
type Pool struct {
	Entry     string // its name in hosts.yaml
	Spec      Spec
	Program   string   // of rpcbench in the image; empty is "rpcbench", by the image's PATH
	Version   string   // what that must say of itself
	Variables []string // of this process's environment that workers get

	connect func(Spec) (*cluster, error) // nil is that of the user's kubeconfig

	mu      sync.Mutex
	cluster *cluster
	reached bool // the API server has answered
	owner   *owner
	keeping context.CancelFunc
}

// Patience with the cluster, for single requests and for the end of Pods.
const (
	askPatience = 15 * time.Second
	endPatience = 15 * time.Second
)

func (p *Pool) program() string {
	if p.Program == "" {
		return "rpcbench"
	}
	return p.Program
}

// owned returns the cluster and the owner of Pods. Once it has answered, an API server is waited for: one that restarts is
// back after seconds, and knows no Role for a moment.
func (p *Pool) owned(ctx context.Context) (*cluster, *batchv1.Job, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.connected(); err != nil {
		return nil, nil, err
	}
	begun := time.Now()
	for {
		job, err := p.prolonged(ctx)
		switch most := patienceWith(err); {
		case err == nil:
			p.reached = true
			return p.cluster, job, nil
		case !p.reached || time.Since(begun) >= most:
			return nil, nil, err
		}
		if err := patience.Pause(ctx, returnEvery); err != nil {
			return nil, nil, err
		}
	}
}

// The time to wait for an API server that does not answer, or refuses what it allowed before, and the interval between attempts.
const (
	returnPatience  = time.Minute
	refusalPatience = 10 * time.Second
	returnEvery     = time.Second
)

func patienceWith(err error) time.Duration {
	if errors.Is(err, errUnreachable) {
		return returnPatience
	}
	return refusalPatience
}

// prolonged returns the owner, and recreates it if the cluster has removed it because it could not be renewed for a while.
func (p *Pool) prolonged(ctx context.Context) (*batchv1.Job, error) {
	ctx, cancel := patience.WithTimeout(ctx, askPatience)
	defer cancel()
	if p.owner != nil {
		there, err := p.owner.renew(ctx)
		if err != nil {
			return nil, err
		}
		if there {
			return p.owner.job, nil
		}
		p.keeping()
	}
	id := make([]byte, 4)
	_, _ = rand.Read(id) // it does not fail
	made, err := makeOwner(ctx, p.cluster.jobs, ownerOf(p.Spec, runName(p.Entry, hex.EncodeToString(id)), p.program()))
	if err != nil {
		return nil, err
	}
	keeping, stop := context.WithCancel(context.Background()) // until Close
	p.owner, p.keeping = made, stop
	go made.keep(keeping)
	return made.job, nil
}

func (p *Pool) connected() (err error) {
	if p.cluster != nil {
		return nil
	}
	if p.connect == nil {
		p.connect = connect
	}
	p.cluster, err = p.connect(p.Spec)
	return err
}

// Close removes all Pods, and waits for a while until they are gone. A Pool that was never used has none.
func (p *Pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.owner == nil {
		return nil
	}
	p.keeping()
	err := errors.Join(within(endPatience, p.removePods), within(askPatience, p.owner.remove))
	if err != nil {
		return fmt.Errorf("%s: the Pods with the label %s=%s could not be removed, which the cluster does within %v: %s",
			p.Entry, LabelRun, p.owner.job.Name, leaseTime, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	p.owner = nil
	return nil
}

// within runs cleanup that must happen even if everything else was interrupted.
func within(most time.Duration, do func(context.Context) error) error {
	ctx, cancel := patience.WithTimeout(context.Background(), most)
	defer cancel()
	return do(ctx)
}

// removePods deletes the Pods directly, because removal through the owner takes time and the next run may need their room.
func (p *Pool) removePods(ctx context.Context) error {
	for ctx.Err() == nil {
		left, err := p.cluster.pods.List(ctx, metav1.ListOptions{LabelSelector: LabelRun + "=" + p.owner.job.Name})
		if err != nil {
			return refused("listing the Pods", err)
		}
		if len(left.Items) == 0 {
			return nil
		}
		for _, pod := range left.Items {
			if pod.DeletionTimestamp != nil {
				continue
			}
			if err := p.cluster.pods.Delete(ctx, pod.Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
				return refused("deleting the Pods", err)
			}
		}
		_ = patience.Pause(ctx, pollEvery)
	}
	return nil // those that are left are being deleted
}

// pollEvery is the interval between requests for a Pod's state: with 64 Pods, about 200 requests per second.
const pollEvery = 300 * time.Millisecond
