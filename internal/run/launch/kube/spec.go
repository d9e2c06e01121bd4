package kube

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"rpcbench/internal/plan/schedule"
)

// CountMax limits the Pods of an entry, like the clients of a trial.
const CountMax = 64

// How Pods are spread over nodes and zones.
const (
	SpreadPreferred = "preferred"
	SpreadRequired  = "required"
)

// A Spec describes a group of identical Pods in hosts.yaml.
type Spec struct {
	Context      string            `yaml:"context"`   // of the user's kubeconfig; empty is its current one, or one's own cluster
	Namespace    string            `yaml:"namespace"` // empty is the context's
	Image        string            `yaml:"image"`
	PullPolicy   string            `yaml:"pull_policy"`
	PullSecrets  []string          `yaml:"pull_secrets"` // names of Secrets, whose content rpcbench never sees
	NodeSelector map[string]string `yaml:"node_selector"`
	Tolerations  []Toleration      `yaml:"tolerations"`
	Resources    Resources         `yaml:"resources"`
	Count        int               `yaml:"count"`         // of Pods; 0 is one
	Spread       string            `yaml:"spread"`        // over nodes and zones
	StartTimeout string            `yaml:"start_timeout"` // of a Pod
	Deadline     string            `yaml:"deadline"`      // of a Pod, whatever becomes of its owner
}

// A Toleration lets Pods run on nodes with a taint.
type Toleration struct {
	Key      string `yaml:"key"`
	Operator string `yaml:"operator"`
	Value    string `yaml:"value"`
	Effect   string `yaml:"effect"`
}

// Resources are both the requests and the limits of each Pod.
type Resources struct {
	CPU    string `yaml:"cpu"`    // whole processors
	Memory string `yaml:"memory"` // as Kubernetes writes it
}

// The defaults of an entry.
const (
	cpuDefault          = "1"
	memoryDefault       = "1Gi"
	startTimeoutDefault = 2 * time.Minute
	deadlineDefault     = 24 * time.Hour
)

var dnsLabel = regexp.MustCompile(`\A[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\z`)

// Check returns an error, one sentence, if an entry is invalid.
func (s Spec) Check() error {
	for _, check := range []func() error{
		s.checkImage, s.checkNamespace, s.checkTolerations, s.Resources.check, s.checkCount, s.checkSpread, s.checkTimes,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (s Spec) checkImage() error {
	policies := []string{"", string(corev1.PullAlways), string(corev1.PullIfNotPresent), string(corev1.PullNever)}
	switch {
	case s.Image == "":
		return errors.New("kubernetes: it needs the image that holds rpcbench, such as image: registry.example.com/rpcbench:1.0")
	case strings.ContainsAny(s.Image, " \t\n"):
		return fmt.Errorf("kubernetes: image: %q is not the name of an image", s.Image)
	case !slices.Contains(policies, s.PullPolicy):
		return fmt.Errorf("kubernetes: pull_policy: %q is not one of Always, IfNotPresent and Never", s.PullPolicy)
	default:
		return nil
	}
}

func (s Spec) checkNamespace() error {
	if s.Namespace != "" && !dnsLabel.MatchString(s.Namespace) {
		return fmt.Errorf("kubernetes: namespace: %q is not the name of a namespace: lower-case letters, digits and hyphens",
			s.Namespace)
	}
	return nil
}

func (s Spec) checkTolerations() error {
	operators := []string{"", string(corev1.TolerationOpEqual), string(corev1.TolerationOpExists)}
	effects := []string{
		"", string(corev1.TaintEffectNoSchedule), string(corev1.TaintEffectPreferNoSchedule), string(corev1.TaintEffectNoExecute),
	}
	for _, t := range s.Tolerations {
		switch {
		case !slices.Contains(operators, t.Operator):
			return fmt.Errorf("kubernetes: tolerations: the operator %q is neither Equal nor Exists", t.Operator)
		case !slices.Contains(effects, t.Effect):
			return fmt.Errorf("kubernetes: tolerations: the effect %q is not one of NoSchedule, PreferNoSchedule and NoExecute", t.Effect)
		case t.Key == "" && t.Operator != string(corev1.TolerationOpExists):
			return errors.New("kubernetes: tolerations: one without a key tolerates every taint, and has the operator Exists")
		}
	}
	return nil
}

func (r Resources) check() error {
	if r.CPU != "" {
		n, err := resource.ParseQuantity(r.CPU)
		if err != nil || n.MilliValue() <= 0 || n.MilliValue()%1000 != 0 {
			return fmt.Errorf("kubernetes: resources: cpu: %q is not a number of whole processors, such as 2: "+
				"with a part of one, the Pod would be throttled and could not be pinned", r.CPU)
		}
	}
	if r.Memory != "" {
		if n, err := resource.ParseQuantity(r.Memory); err != nil || n.Value() <= 0 {
			return fmt.Errorf("kubernetes: resources: memory: %q is not a size, such as 4Gi", r.Memory)
		}
	}
	return nil
}

func (s Spec) checkCount() error {
	if s.Count < 0 || s.Count > CountMax {
		return fmt.Errorf("kubernetes: count: %d is not a number of Pods between 1 and %d", s.Count, CountMax)
	}
	return nil
}

func (s Spec) checkSpread() error {
	if s.Spread != "" && s.Spread != SpreadPreferred && s.Spread != SpreadRequired {
		return fmt.Errorf("kubernetes: spread: %q is neither %s nor %s", s.Spread, SpreadPreferred, SpreadRequired)
	}
	return nil
}

func (s Spec) checkTimes() error {
	for _, t := range []struct{ key, text string }{{"start_timeout", s.StartTimeout}, {"deadline", s.Deadline}} {
		if d, err := time.ParseDuration(schedule.Seconds(t.text)); t.text != "" && (err != nil || d < time.Second) {
			return fmt.Errorf("kubernetes: %s: %q is not a time of at least a second, such as 10m", t.key, t.text)
		}
	}
	return nil
}

// timeOr reads a time that was checked.
func timeOr(text string, silent time.Duration) time.Duration {
	if d, err := time.ParseDuration(schedule.Seconds(text)); err == nil {
		return d
	}
	return silent
}
