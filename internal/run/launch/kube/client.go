package kube

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// A kind is a sort of objects in a namespace. client-go's typed clients, generic or not, bring OpenAPI and server-side
// apply along, which every worker would pay for with memory.
type kind struct {
	client    *rest.RESTClient
	codec     runtime.ParameterCodec
	namespace string
	name      string
}

func (k kind) at(request *rest.Request) *rest.Request {
	return request.Namespace(k.namespace).Resource(k.name)
}

func (k kind) create(ctx context.Context, object, into runtime.Object) error {
	return k.at(k.client.Post()).Body(object).Do(ctx).Into(into)
}

// Delete implements pods and jobs.
func (k kind) Delete(ctx context.Context, name string, options metav1.DeleteOptions) error {
	return k.at(k.client.Delete()).Name(name).Body(&options).Do(ctx).Error()
}

type podClient struct{ kind }

// Create implements pods.
func (c podClient) Create(ctx context.Context, pod *corev1.Pod, _ metav1.CreateOptions) (*corev1.Pod, error) {
	made := new(corev1.Pod)
	return made, c.create(ctx, pod, made)
}

// Get implements pods.
func (c podClient) Get(ctx context.Context, name string, _ metav1.GetOptions) (*corev1.Pod, error) {
	found := new(corev1.Pod)
	return found, c.at(c.client.Get()).Name(name).Do(ctx).Into(found)
}

// List implements pods.
func (c podClient) List(ctx context.Context, options metav1.ListOptions) (*corev1.PodList, error) {
	found := new(corev1.PodList)
	return found, c.at(c.client.Get()).VersionedParams(&options, c.codec).Do(ctx).Into(found)
}

type jobClient struct{ kind }

// Create implements jobs.
func (c jobClient) Create(ctx context.Context, job *batchv1.Job, _ metav1.CreateOptions) (*batchv1.Job, error) {
	made := new(batchv1.Job)
	return made, c.create(ctx, job, made)
}

// Patch implements jobs.
func (c jobClient) Patch(
	ctx context.Context, name string, patch types.PatchType, data []byte, _ metav1.PatchOptions, _ ...string,
) (*batchv1.Job, error) {
	patched := new(batchv1.Job)
	return patched, c.at(c.client.Patch(patch)).Name(name).Body(data).Do(ctx).Into(patched)
}
