package kube

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Labels of all that a run creates.
const (
	LabelName = "app.kubernetes.io/name"
	LabelRun  = "rpcbench/run"  // the same for all Pods of an entry in a run
	LabelHost = "rpcbench/host" // the name of the host in results
)

const (
	labelled  = "rpcbench" // the value of LabelName
	container = "worker"
	// nobody is the user ID of Pods, as in distroless images.
	nobody = 65532
	// lastGrace is the time in seconds that a worker gets to end after its Pod is deleted: it has nothing to save, and ignores the
	// signal that asks it to end.
	lastGrace = 1
)

// podOf returns the Pod of a host. The Pod's own process is an idle worker whose input never comes; the workers of trials are
// started next to it. The Pod contains no secrets: workers receive what they need over their pipes.
func podOf(s Spec, name, host, program string, variables []string, owner *batchv1.Job) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: labels(owner.Name, host),
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: owner.Name, UID: owner.UID}},
		},
		Spec: podSpec(s, owner.Name, program, variables),
	}
}

func labels(run, host string) map[string]string {
	found := map[string]string{LabelName: labelled, LabelRun: run}
	if host != "" {
		found[LabelHost] = strings.TrimRight(host[:min(len(host), 63)], "._-") // as Kubernetes takes it
	}
	return found
}

func podSpec(s Spec, run, program string, variables []string) corev1.PodSpec {
	spec := corev1.PodSpec{
		RestartPolicy:                 corev1.RestartPolicyNever,
		AutomountServiceAccountToken:  new(false),
		EnableServiceLinks:            new(false),
		TerminationGracePeriodSeconds: new(int64(lastGrace)),
		ActiveDeadlineSeconds:         new(int64(timeOr(s.Deadline, deadlineDefault) / time.Second)),
		NodeSelector:                  s.NodeSelector,
		SecurityContext: &corev1.PodSecurityContext{
			RunAsNonRoot: new(true), RunAsUser: new(int64(nobody)), RunAsGroup: new(int64(nobody)), FSGroup: new(int64(nobody)),
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
		Containers: []corev1.Container{workerContainer(s, program, variables)},
		Volumes: []corev1.Volume{
			{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		},
	}
	for _, t := range s.Tolerations {
		spec.Tolerations = append(spec.Tolerations, corev1.Toleration{
			Key: t.Key, Operator: corev1.TolerationOperator(t.Operator), Value: t.Value, Effect: corev1.TaintEffect(t.Effect),
		})
	}
	for _, name := range s.PullSecrets {
		spec.ImagePullSecrets = append(spec.ImagePullSecrets, corev1.LocalObjectReference{Name: name})
	}
	spread(&spec, run, s.Spread == SpreadRequired)
	return spec
}

// workerContainer has the restricted Pod Security, and the QoS class Guaranteed.
func workerContainer(s Spec, program string, variables []string) corev1.Container {
	share := corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse(cmp.Or(s.Resources.CPU, cpuDefault)),
		corev1.ResourceMemory: resource.MustParse(cmp.Or(s.Resources.Memory, memoryDefault)),
	}
	c := corev1.Container{
		Name: container, Image: s.Image, ImagePullPolicy: corev1.PullPolicy(s.PullPolicy),
		Command:   []string{program, "worker"},
		Stdin:     true, // which nobody writes to
		Resources: corev1.ResourceRequirements{Requests: share, Limits: share},
		SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: new(false), ReadOnlyRootFilesystem: new(true),
			Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		},
		VolumeMounts: []corev1.VolumeMount{{Name: "tmp", MountPath: "/tmp"}},
	}
	for _, name := range variables {
		if value, set := os.LookupEnv(name); set {
			c.Env = append(c.Env, corev1.EnvVar{Name: name, Value: value})
		}
	}
	return c
}

// spread asks for Pods of a run on different nodes and in different zones.
func spread(spec *corev1.PodSpec, run string, required bool) {
	alike := &metav1.LabelSelector{MatchLabels: map[string]string{LabelRun: run}}
	apart := corev1.PodAffinityTerm{LabelSelector: alike, TopologyKey: corev1.LabelHostname}
	unsatisfied := corev1.ScheduleAnyway
	spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{}}
	if required {
		unsatisfied = corev1.DoNotSchedule
		spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution = []corev1.PodAffinityTerm{apart}
	} else {
		spec.Affinity.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution = []corev1.WeightedPodAffinityTerm{
			{Weight: 100, PodAffinityTerm: apart},
		}
	}
	for _, key := range []string{corev1.LabelHostname, corev1.LabelTopologyZone} {
		spec.TopologySpreadConstraints = append(spec.TopologySpreadConstraints, corev1.TopologySpreadConstraint{
			MaxSkew: 1, TopologyKey: key, WhenUnsatisfiable: unsatisfied, LabelSelector: alike,
		})
	}
}

// ownerOf is the Job that owns the Pods of a run. It asks for no Pod itself, so it is complete at once, and the cluster
// removes it with all that it owns when its time to live is over. A run that goes on makes that time longer.
func ownerOf(s Spec, name, program string) *batchv1.Job {
	spec := podSpec(s, name, program, nil) // which no Pod is made of
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels(name, "")},
		Spec: batchv1.JobSpec{
			Parallelism: new(int32(0)), Completions: new(int32(0)), TTLSecondsAfterFinished: new(int32(leaseTime / time.Second)),
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels(name, "")}, Spec: spec},
		},
	}
}

// podName returns the name of a host's n-th Pod.
func podName(run string, member, attempt int) string {
	name := run + "-" + strconv.Itoa(member)
	if attempt > 0 {
		name += "-" + strconv.Itoa(attempt)
	}
	return name
}

// runName names a run of an entry, without characters that Kubernetes does not accept in names.
func runName(entry, id string) string {
	var kept []byte
	for _, b := range []byte(entry) {
		switch {
		case b >= 'A' && b <= 'Z':
			kept = append(kept, b-'A'+'a')
		case b >= 'a' && b <= 'z', b >= '0' && b <= '9':
			kept = append(kept, b)
		}
	}
	const maxEntryName = 24 // a name of a Job has 63 bytes, and those of its Pods are longer
	return "rpcbench-" + string(slices.Concat(kept[:min(len(kept), maxEntryName)], []byte("-"+id)))
}
