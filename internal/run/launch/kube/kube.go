// Package kube launches workers of this binary in Pods of a Kubernetes cluster. Each host of such an entry of hosts.yaml is a
// Pod, which is created once for a run. Each worker is a fresh process in it, whose pipe is an exec stream of the API
// server.
//
// The Pods belong to a Job that starts no Pods itself, whose time to live the run prolongs. When the run stops doing so, the
// cluster removes everything, whatever became of rpcbench. The package creates nothing else, reads no Secret and puts none
// into a Pod.
package kube

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/remotecommand"
)

// A cluster holds the requests to a Kubernetes API server, within a namespace. docs/kubernetes.md has the Role for them.
type cluster struct {
	pods pods
	jobs jobs
	exec exec
}

type pods interface {
	Create(ctx context.Context, pod *corev1.Pod, options metav1.CreateOptions) (*corev1.Pod, error)
	Get(ctx context.Context, name string, options metav1.GetOptions) (*corev1.Pod, error)
	List(ctx context.Context, options metav1.ListOptions) (*corev1.PodList, error)
	Delete(ctx context.Context, name string, options metav1.DeleteOptions) error
}

type jobs interface {
	Create(ctx context.Context, job *batchv1.Job, options metav1.CreateOptions) (*batchv1.Job, error)
	Patch(ctx context.Context, name string, kind types.PatchType, data []byte, options metav1.PatchOptions, sub ...string,
	) (*batchv1.Job, error)
	Delete(ctx context.Context, name string, options metav1.DeleteOptions) error
}

// exec runs a command in a Pod until it ends, or ctx does.
type exec func(ctx context.Context, pod string, command []string, streams remotecommand.StreamOptions) error
