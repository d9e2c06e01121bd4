package kube

import (
	"slices"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestAWrongEntryIsOneSentence(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Spec{
		"it needs the image that holds rpcbench":            {},
		`"a b" is not the name of an image`:                 {Image: "a b"},
		`pull_policy: "never" is not one of Always`:         {Image: "i", PullPolicy: "never"},
		`namespace: "Bench" is not the name of a namespace`: {Image: "i", Namespace: "Bench"},
		`the operator "Is" is neither Equal nor Exists`:     {Image: "i", Tolerations: []Toleration{{Key: "a", Operator: "Is"}}},
		`the effect "no" is not one of NoSchedule`:          {Image: "i", Tolerations: []Toleration{{Key: "a", Effect: "no"}}},
		"one without a key tolerates every taint":           {Image: "i", Tolerations: []Toleration{{Value: "a"}}},
		`cpu: "1.5" is not a number of whole processors`:    {Image: "i", Resources: Resources{CPU: "1.5"}},
		`cpu: "500m" is not a number of whole processors`:   {Image: "i", Resources: Resources{CPU: "500m"}},
		`cpu: "0" is not a number of whole processors`:      {Image: "i", Resources: Resources{CPU: "0"}},
		`memory: "much" is not a size, such as 4Gi`:         {Image: "i", Resources: Resources{Memory: "much"}},
		"count: 65 is not a number of Pods between 1 and":   {Image: "i", Count: 65},
		"count: -1 is not a number of Pods between 1 and":   {Image: "i", Count: -1},
		`spread: "wide" is neither preferred nor required`:  {Image: "i", Spread: "wide"},
		`start_timeout: "0.5" is not a time of at least`:    {Image: "i", StartTimeout: "0.5"},
		`deadline: "1ms" is not a time of at least`:         {Image: "i", Deadline: "1ms"},
	} {
		wantSentence(t, s.Check(), "kubernetes: ", want)
	}
	good := Spec{
		Image: "i", PullPolicy: "Never", Namespace: "bench",
		Tolerations: []Toleration{{Operator: "Exists"}, {Key: "a", Effect: "NoExecute"}},
		Resources:   Resources{CPU: "2", Memory: "512Mi"}, Count: 64, Spread: "required", StartTimeout: "10m", Deadline: "1h",
	}
	for _, s := range []Spec{good, {Image: "i"}, {Image: "i", Resources: Resources{CPU: "2000m"}}} {
		if err := s.Check(); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

func made(s Spec, variables ...string) *corev1.Pod {
	return podOf(s, "p", "pool-1", "rpcbench", variables, &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "run", UID: "u"}})
}

// https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
func TestPodsAreRestricted(t *testing.T) {
	t.Parallel()
	for _, spec := range []corev1.PodSpec{
		made(Spec{Image: "i"}).Spec, ownerOf(Spec{Image: "i"}, "run", "rpcbench").Spec.Template.Spec,
	} {
		c := spec.Containers[0]
		for rule, kept := range map[string]bool{
			"one container":          len(spec.Containers) == 1 && len(spec.InitContainers) == 0,
			"no host namespace":      !spec.HostNetwork && !spec.HostPID && !spec.HostIPC,
			"no host path":           len(spec.Volumes) == 1 && spec.Volumes[0].EmptyDir != nil && spec.Volumes[0].HostPath == nil,
			"no host port":           len(c.Ports) == 0,
			"no root":                *spec.SecurityContext.RunAsNonRoot && *spec.SecurityContext.RunAsUser != 0,
			"seccomp":                spec.SecurityContext.SeccompProfile.Type == corev1.SeccompProfileTypeRuntimeDefault,
			"no escalation":          !*c.SecurityContext.AllowPrivilegeEscalation && c.SecurityContext.Privileged == nil,
			"no capability":          slices.Equal(c.SecurityContext.Capabilities.Drop, []corev1.Capability{"ALL"}),
			"no other capability":    c.SecurityContext.Capabilities.Add == nil,
			"read-only image":        *c.SecurityContext.ReadOnlyRootFilesystem,
			"no service account":     !*spec.AutomountServiceAccountToken && spec.ServiceAccountName == "",
			"no restart":             spec.RestartPolicy == corev1.RestartPolicyNever,
			"no addresses of others": !*spec.EnableServiceLinks,
			"deadline":               *spec.ActiveDeadlineSeconds == 24*60*60,
		} {
			if !kept {
				t.Errorf("%s is not kept", rule)
			}
		}
	}
}

// The class is Guaranteed, and kubelet's static policy pins, where requests are the limits and processors are whole.
func TestPodsGetWholeProcessorsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked       Resources
		cpu, memory string
	}{{Resources{}, "1", "1Gi"}, {Resources{CPU: "4", Memory: "8Gi"}, "4", "8Gi"}} {
		got := made(Spec{Image: "i", Resources: c.asked}).Spec.Containers[0].Resources
		for _, list := range []corev1.ResourceList{got.Requests, got.Limits} {
			if list.Cpu().String() != c.cpu || list.Memory().String() != c.memory || len(list) != 2 {
				t.Errorf("%+v: %v, want %s and %s", c.asked, list, c.cpu, c.memory)
			}
		}
	}
}

func TestPodsAreSpreadOverNodesAndZones(t *testing.T) {
	t.Parallel()
	for spread, want := range map[string]corev1.UnsatisfiableConstraintAction{
		"": corev1.ScheduleAnyway, SpreadPreferred: corev1.ScheduleAnyway, SpreadRequired: corev1.DoNotSchedule,
	} {
		spec := made(Spec{Image: "i", Spread: spread}).Spec
		var keys []string
		for _, c := range spec.TopologySpreadConstraints {
			if keys = append(keys, c.TopologyKey); c.WhenUnsatisfiable != want || c.LabelSelector.MatchLabels[LabelRun] != "run" {
				t.Errorf("%q: %+v", spread, c)
			}
		}
		apart := spec.Affinity.PodAntiAffinity
		must := len(apart.RequiredDuringSchedulingIgnoredDuringExecution) == 1
		may := len(apart.PreferredDuringSchedulingIgnoredDuringExecution) == 1
		if strings.Join(keys, " ") != "kubernetes.io/hostname topology.kubernetes.io/zone" || must == may ||
			must != (spread == SpreadRequired) {
			t.Errorf("%q: constraints %v, anti-affinity %+v", spread, keys, apart)
		}
	}
}

func TestPodsGetWhatTheEntrySays(t *testing.T) {
	t.Setenv("GOGC", "200")
	t.Setenv("TOKEN", "secret")
	pod := made(Spec{
		Image: "i", PullPolicy: "Never", PullSecrets: []string{"registry"}, NodeSelector: map[string]string{"pool": "load"},
		Tolerations: []Toleration{{Key: "load", Operator: "Equal", Value: "yes", Effect: "NoSchedule"}}, Deadline: "90s",
	}, "GOGC", "GODEBUG")
	c := pod.Spec.Containers[0]
	want := corev1.Toleration{Key: "load", Operator: corev1.TolerationOpEqual, Value: "yes", Effect: corev1.TaintEffectNoSchedule}
	if c.Image != "i" || c.ImagePullPolicy != corev1.PullNever || pod.Spec.ImagePullSecrets[0].Name != "registry" ||
		pod.Spec.NodeSelector["pool"] != "load" || !slices.Equal(pod.Spec.Tolerations, []corev1.Toleration{want}) ||
		*pod.Spec.ActiveDeadlineSeconds != 90 {
		t.Errorf("%+v", pod.Spec)
	}
	if !slices.Equal(c.Env, []corev1.EnvVar{{Name: "GOGC", Value: "200"}}) || !c.Stdin ||
		!slices.Equal(c.Command, []string{"rpcbench", "worker"}) {
		t.Errorf("environment %v, command %v, input %v", c.Env, c.Command, c.Stdin)
	}
}

func TestNamesAreKubernetes(t *testing.T) {
	t.Parallel()
	for entry, want := range map[string]string{
		"pool": "rpcbench-pool-0a1b2c3d", "Lab_1.eu": "rpcbench-lab1eu-0a1b2c3d", "__": "rpcbench--0a1b2c3d",
		strings.Repeat("a", 64): "rpcbench-" + strings.Repeat("a", 24) + "-0a1b2c3d",
	} {
		got := runName(entry, "0a1b2c3d")
		if longest := podName(got, 64, 100_000); got != want || !dnsLabel.MatchString(longest) {
			t.Errorf("%q: %q and %q, want %q and a name of Kubernetes", entry, got, longest, want)
		}
	}
}
