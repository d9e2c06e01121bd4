package kube

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-logr/logr"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/klog/v2"
	"k8s.io/streaming/pkg/httpstream"
)

// connect finds the cluster as kubectl does: by KUBECONFIG or ~/.kube/config, or else that which this process runs in. It
// asks it nothing yet.
func connect(s Spec) (*cluster, error) {
	found := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		clientcmd.NewDefaultClientConfigLoadingRules(), &clientcmd.ConfigOverrides{CurrentContext: s.Context})
	config, err := found.ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, errors.New("no Kubernetes cluster is known: name a kubeconfig with KUBECONFIG, or put it at ~/.kube/config")
	}
	if err != nil {
		return nil, fmt.Errorf("kubernetes: %s", said(err))
	}
	namespace := s.Namespace
	if namespace == "" {
		if namespace, _, err = found.Namespace(); err != nil {
			return nil, fmt.Errorf("kubernetes: namespace: %s", said(err))
		}
	}
	config.QPS = -1 // the API server limits by itself, and fairly
	config.WarningHandler = rest.NoWarnings{}
	return newCluster(config, namespace)
}

// silent keeps client-go's log off the terminal. Everything that matters is in its errors.
var silent = sync.OnceFunc(func() { klog.SetLogger(logr.Discard()) })

// newCluster makes clients for the two kinds of objects that there are, which know no other kind.
func newCluster(config *rest.Config, namespace string) (*cluster, error) {
	silent()
	known := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, batchv1.AddToScheme} {
		if err := add(known); err != nil {
			return nil, err
		}
	}
	metav1.AddToGroupVersion(known, schema.GroupVersion{Version: "v1"})
	codec := runtime.NewParameterCodec(known)
	clientOf := func(path string, version schema.GroupVersion) (*rest.RESTClient, error) {
		c := rest.CopyConfig(config)
		c.APIPath, c.GroupVersion = path, &version
		c.NegotiatedSerializer = serializer.NewCodecFactory(known).WithoutConversion()
		return rest.RESTClientFor(c)
	}
	core, err := clientOf("/api", corev1.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	batch, err := clientOf("/apis", batchv1.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	return &cluster{
		pods: podClient{kind{core, codec, namespace, "pods"}},
		jobs: jobClient{kind{batch, codec, namespace, "jobs"}},
		exec: execThrough(config, core, codec, namespace),
	}, nil
}

// execThrough runs commands over a WebSocket, or over SPDY if the cluster or a proxy in front of it does not support WebSockets.
func execThrough(config *rest.Config, core *rest.RESTClient, codec runtime.ParameterCodec, namespace string) exec {
	return func(ctx context.Context, pod string, command []string, streams remotecommand.StreamOptions) error {
		url := core.Post().Resource("pods").Namespace(namespace).Name(pod).SubResource("exec").VersionedParams(&corev1.PodExecOptions{
			Container: container, Command: command,
			Stdin: streams.Stdin != nil, Stdout: streams.Stdout != nil, Stderr: streams.Stderr != nil,
		}, codec).URL()
		socket, err := remotecommand.NewWebSocketExecutor(config, "GET", url.String())
		if err != nil {
			return err
		}
		spdy, err := remotecommand.NewSPDYExecutor(config, "POST", url)
		if err != nil {
			return err
		}
		either, err := remotecommand.NewFallbackExecutor(socket, spdy, func(err error) bool {
			return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
		})
		if err != nil {
			return err
		}
		return either.StreamWithContext(ctx, streams)
	}
}
