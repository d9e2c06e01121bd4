package hosts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rpcbench/internal/run/launch/kube"
)

// checkKubernetes checks an entry whose hosts are Pods.
func (h Host) checkKubernetes() error {
	switch {
	case h.SSH != "" || len(h.Options) > 0 || len(h.Command) > 0:
		return errors.New("a host has either ssh, such as user@host, or command, a list of words that give a pipe to it, or kubernetes")
	case h.Address != "":
		return errors.New("address: a Pod has the one that the cluster gives it")
	case h.Binary != "":
		return errors.New("binary: nothing is copied to a Pod, whose image has rpcbench")
	default:
		return h.Kubernetes.Check()
	}
}

// addPods makes hosts of the Pods of each entry: one has the name of the entry, and several are numbered from 1.
func (l List) addPods() error {
	for _, name := range slices.Sorted(maps.Keys(l.hosts)) {
		entry := l.hosts[name]
		if entry.Kubernetes == nil {
			continue
		}
		entry.pool = &kube.Pool{Entry: name, Spec: *entry.Kubernetes, Program: entry.Program, Variables: runtimeVariables}
		for member := 1; member <= max(entry.Kubernetes.Count, 1); member++ {
			pod := entry
			pod.member = member
			if entry.Kubernetes.Count > 1 {
				pod.Name = fmt.Sprintf("%s-%d", name, member)
			}
			if _, taken := l.hosts[pod.Name]; taken && pod.Name != name {
				return fmt.Errorf("%s: its Pods are %s-1 to %s-%d, and %s is another entry",
					name, name, name, entry.Kubernetes.Count, pod.Name)
			}
			l.pods[name] = append(l.pods[name], pod)
		}
	}
	return nil
}

// IsPod reports whether a name refers to Pods.
func (l List) IsPod(name string) bool {
	hosts, ok := l.named(name)
	return ok && len(hosts) > 0 && hosts[0].pool != nil
}

// Expand replaces the name of an entry by the names of its Pods, in a comma-separated list. It keeps unknown names.
func (l List) Expand(names string) string {
	var all []string
	for name := range strings.SplitSeq(names, ",") {
		if pods, ok := l.pods[name]; ok {
			for _, pod := range pods {
				all = append(all, pod.Name)
			}
			continue
		}
		all = append(all, name)
	}
	return strings.Join(all, ",")
}

// preparePod has a Pod ready for workers.
func (h Host) preparePod(ctx context.Context, version string) (prepared, error) {
	h.pool.Version = version
	pod, err := h.pool.Prepare(ctx, h.Name, h.member)
	if err != nil {
		return prepared{}, err // which names the host
	}
	return prepared{pod, pod.Address()}, nil
}

// closePods removes the Pods of hosts.
func closePods(hosts []Host) error {
	var errs []error
	var closed []*kube.Pool
	for _, h := range hosts {
		if h.pool != nil && !slices.Contains(closed, h.pool) {
			closed = append(closed, h.pool)
			errs = append(errs, h.pool.Close())
		}
	}
	return errors.Join(errs...)
}
