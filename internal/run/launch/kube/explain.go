package kube

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// errUnreachable reports that the API server did not answer, for example because it is restarting.
var errUnreachable = errors.New("the Kubernetes API server can't be reached")

// refused explains in one sentence why the API server refused a request.
func refused(doing string, err error) error {
	message := said(err)
	if asked, ok := errors.AsType[*url.Error](err); ok {
		message = said(asked.Err) // what was sent where is of no use to a reader
	}
	switch {
	case apierrors.IsForbidden(err) && strings.Contains(message, "exceeded quota"):
		return fmt.Errorf("the quota of the namespace has no room: %s", after(message, "is forbidden: "))
	case apierrors.IsForbidden(err) && strings.Contains(message, "violates PodSecurity"):
		return fmt.Errorf("the namespace does not take the Pod: %s", after(message, "is forbidden: "))
	case apierrors.IsForbidden(err) && strings.Contains(message, " cannot "):
		return fmt.Errorf("%s is not allowed: %s; docs/kubernetes.md has the Role that rpcbench needs",
			doing, after(message, "is forbidden: "))
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("the Kubernetes API server does not accept the credentials of the context: %s", message)
	case apierrors.IsNotFound(err) && strings.HasPrefix(message, "namespaces "):
		return fmt.Errorf("there is no namespace %s", strings.TrimSuffix(strings.TrimPrefix(message, "namespaces "), " not found"))
	case answered(err):
		return fmt.Errorf("%s failed: %s", doing, message)
	default:
		return fmt.Errorf("%w: %s", errUnreachable, message)
	}
}

// answered reports whether an error is an answer of the API server rather than a broken connection.
func answered(err error) bool {
	_, status := errors.AsType[*apierrors.StatusError](err)
	return status
}

// said is an error in one line.
func said(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// after returns the text after the given words, or the whole text without them.
func after(text, words string) string {
	if _, rest, found := strings.Cut(text, words); found {
		return rest
	}
	return text
}

// A state is the progress of a Pod.
type state struct {
	ready    bool
	hopeless bool   // it will never be
	why      string // it is not ready; empty where it only takes time
}

// stateOf judges a Pod that is to run.
func stateOf(pod *corev1.Pod) state {
	if why := ended(pod); why != "" {
		return state{hopeless: true, why: why}
	}
	for _, c := range pod.Status.ContainerStatuses {
		if c.State.Running != nil && pod.Status.PodIP != "" {
			return state{ready: true}
		}
		if waiting := c.State.Waiting; waiting != nil {
			if why, hopeless := waitingFor(waiting, pod.Spec.Containers[0].Image); why != "" {
				return state{hopeless: hopeless, why: why}
			}
		}
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse && c.Message != "" {
			return state{why: "no node takes it: " + strings.Join(strings.Fields(c.Message), " ")}
		}
	}
	return state{}
}

// waitingFor returns what a container is waiting for, and whether that is hopeless.
func waitingFor(waiting *corev1.ContainerStateWaiting, image string) (why string, hopeless bool) {
	message := strings.Join(strings.Fields(waiting.Message), " ")
	switch waiting.Reason {
	case "ErrImageNeverPull":
		return fmt.Sprintf("its node does not have the image %s, and pull_policy is Never", image), true
	case "InvalidImageName":
		return fmt.Sprintf("%q is not the name of an image", image), true
	case "ErrImagePull": // once may be the registry's weather
		return fmt.Sprintf("the image %s can't be pulled: %s", image, message), false
	case "ImagePullBackOff":
		return fmt.Sprintf("the image %s can't be pulled: %s", image, message), true
	case "CreateContainerConfigError", "CreateContainerError", "RunContainerError":
		return "its container can't be started: " + message, true
	default:
		return "", false
	}
}

// ended says how a Pod has ended, or why it is about to; empty for one that has not.
func ended(pod *corev1.Pod) string {
	terminated := func(c corev1.ContainerStatus) bool { return c.State.Terminated != nil }
	if i := slices.IndexFunc(pod.Status.ContainerStatuses, terminated); i >= 0 && pod.Status.Reason == "" {
		t := pod.Status.ContainerStatuses[i].State.Terminated
		switch {
		case pod.DeletionTimestamp != nil:
		case t.Reason == "OOMKilled":
			return "its memory was used up (OOMKilled): give it more with resources"
		case t.Message != "":
			return "its container ended: " + strings.Join(strings.Fields(t.Message), " ")
		default:
			return fmt.Sprintf("its container ended with code %d", t.ExitCode)
		}
	}
	switch {
	case pod.DeletionTimestamp != nil:
		return "it was deleted"
	case pod.Status.Reason == "DeadlineExceeded":
		return "its deadline has passed: give it more with deadline"
	case pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded:
		message := strings.Join(strings.Fields(pod.Status.Message), " ")
		return strings.TrimSuffix(fmt.Sprintf("it ended: %s: %s", pod.Status.Reason, message), ": ")
	default:
		return ""
	}
}
