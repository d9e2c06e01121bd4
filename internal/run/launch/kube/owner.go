package kube

import (
	"context"
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// The cluster removes the Pods leaseTime after the last renewal, of which a few may fail.
const (
	leaseTime  = 30 * time.Second
	renewEvery = 5 * time.Second
)

// An owner is the Job that the Pods belong to.
type owner struct {
	jobs jobs
	job  *batchv1.Job
	made time.Time // no later than the Job was complete, from which its time to live counts
}

func makeOwner(ctx context.Context, jobs jobs, job *batchv1.Job) (*owner, error) {
	made := time.Now()
	job, err := jobs.Create(ctx, job, metav1.CreateOptions{})
	if err != nil {
		return nil, refused("creating the Job that owns the Pods", err)
	}
	return &owner{jobs: jobs, job: job, made: made}, nil
}

// renew has the Pods live for leaseTime from now. It reports whether the owner is still there.
func (o *owner) renew(ctx context.Context) (there bool, err error) {
	ttl := int64((time.Since(o.made) + leaseTime) / time.Second)
	patch := fmt.Appendf(nil, `{"spec":{"ttlSecondsAfterFinished":%d}}`, ttl)
	job, err := o.jobs.Patch(ctx, o.job.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return false, nil
	case err != nil:
		return true, refused("prolonging the life of the Pods", err)
	default:
		return job.DeletionTimestamp == nil && job.UID == o.job.UID, nil
	}
}

// keep renews until ctx ends.
func (o *owner) keep(ctx context.Context) {
	ticks := time.NewTicker(renewEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		within, cancel := context.WithTimeout(ctx, renewEvery)
		_, _ = o.renew(within) // the next one, or whoever needs a Pod, finds out
		cancel()
	}
}

// remove removes the owner; the cluster then removes everything it owns.
func (o *owner) remove(ctx context.Context) error {
	err := o.jobs.Delete(ctx, o.job.Name, metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationBackground)})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
