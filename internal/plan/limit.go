package plan

import (
	"fmt"
	"strconv"
	"time"

	"rpcbench/internal/plan/scenario"
)

// StagesMax is how many stages a schedule may have.
const StagesMax = 10_000

// stageMin is how long a stage lasts at least.
const stageMin = time.Millisecond

// Check returns a *scenario.Error if the trial is none that a scenario could ask for, with the same limits. What comes
// from a file is checked before anything is computed from it.
func (t Trial) Check() error {
	repetition := scenario.Setting{Key: "trials", Text: strconv.Itoa(t.Repetition)}
	if t.Repetition == 0 {
		repetition.Text = "1"
	}
	return t.Spec.check(repetition)
}

// Check returns a *scenario.Error if the Spec is none that a scenario could ask for.
func (s Spec) Check() error { return s.check() }

func (s Spec) check(more ...scenario.Setting) error {
	if err := scenario.CheckPoint(s.Kind, append(s.settings(), more...)); err != nil {
		return err
	}
	if s.Schedule != nil {
		if err := s.Schedule.Check(s.scheduleMost()); err != nil {
			return scenario.Errorf("", "schedule %q: %v", s.Schedule.Name, err)
		}
	}
	switch rate := s.MessageRatePerSec; {
	case !(rate >= 0 && rate <= scenario.PerSecMax):
		return scenario.Errorf("", "message_rate_per_sec: %v is not within 0 and %d", rate, scenario.PerSecMax)
	case rate > 0 && s.Method == nil:
		return scenario.Errorf("", "message_rate_per_sec: only calls of a method have one")
	default:
		return nil
	}
}

// scheduleMost is the highest value of a schedule: calls a second of an open load, calls in flight of a closed one.
func (s Spec) scheduleMost() float64 {
	if s.Load == LoadClosed {
		return scenario.SlotsMax
	}
	return scenario.PerSecMax
}

// Check returns an error if the schedule has no stages or too many of them, lasts too long, or leaves 0 to most.
func (s *Schedule) Check(most float64) error {
	if n := len(s.Stages); n == 0 || n > StagesMax {
		return fmt.Errorf("it has %d steps, and 1 to %d are allowed", n, StagesMax)
	}
	for _, stage := range s.Stages {
		switch length := time.Duration(stage.LengthNs); {
		case length < stageMin:
			return fmt.Errorf("a step of %v is shorter than %v", length, stageMin)
		case length > scenario.DurationMax:
			return tooLong(length)
		case !(stage.From >= 0 && stage.To >= 0 && stage.From <= most && stage.To <= most):
			return fmt.Errorf("a step from %v to %v is not within 0 and %v", stage.From, stage.To, most)
		}
	}
	if s.Length() > scenario.DurationMax {
		return tooLong(s.Length())
	}
	return nil
}

func tooLong(length time.Duration) error {
	return fmt.Errorf("it takes %v, and %v is the most", length, scenario.DurationMax)
}

// settings are the Spec as keys of a case. What is zero is left out.
func (s Spec) settings() []scenario.Setting {
	var list settings
	list.text("stack", s.Stack)
	list.text("server", s.Server)
	list.count("batch", int64(s.Batch))
	list.count("request_bytes", int64(s.RequestBytes))
	list.count("response_bytes", int64(s.ResponseBytes))
	list.count("messages", int64(s.Messages))
	if s.Connections != 0 || s.InFlight != 0 {
		list.text("shape", fmt.Sprintf("%dx%d", s.Connections, s.InFlight))
	}
	list.count("streams", int64(s.Streams))
	list.count("servers", int64(s.Servers))
	list.text("load", s.loadText())
	list.text("security", s.Security)
	list.text("network", s.Network)
	list.text("compression", s.Compression)
	list.text("payload", s.Payload)
	list.text("message", s.Message)
	list.text("codec", s.Codec)
	list.text("client_cpus", s.ClientCPUs)
	list.text("server_cpus", s.ServerCPUs)
	list.text("jvm_options", s.JVMOptions)
	list.table("options", s.Options)
	list.table("link", tableOfLink(s.Link))
	list.table("background", tableOfBackground(s.Background))
	list.span("deadline", s.DeadlineNs)
	list.span("sample", s.SampleNs)
	list.span("duration", s.DurationNs)
	list.count("calls", s.Calls)
	list.span("drain", s.DrainNs)
	list.text("warmup", s.warmupText())
	return list
}

// loadText is the load as a scenario has it: "poisson 500/s".
func (s Spec) loadText() string {
	if s.OfferedPerSec == 0 {
		return s.Load
	}
	return s.Load + " " + strconv.FormatFloat(s.OfferedPerSec, 'g', -1, 64) + "/s"
}

// warmupText is the warm-up as a scenario has it: "1s" or "2s..10s".
func (s Spec) warmupText() string {
	least, most := time.Duration(s.WarmupNs), time.Duration(s.WarmupMostNs)
	if most == 0 {
		return least.String()
	}
	return least.String() + ".." + most.String()
}

func tableOfBackground(b *Background) map[string]string {
	if b == nil {
		return nil
	}
	table := map[string]string{
		"kind": b.Kind, "request_bytes": strconv.Itoa(b.RequestBytes), "response_bytes": strconv.Itoa(b.ResponseBytes),
	}
	if b.Messages != 0 {
		table["messages"] = strconv.Itoa(b.Messages)
	}
	return table
}

func tableOfLink(l *Link) map[string]string {
	if l == nil {
		return nil
	}
	table := map[string]string{"rtt": time.Duration(l.RTTNs).String(), "jitter": time.Duration(l.JitterNs).String()}
	for way, perSec := range map[string]float64{"up": l.UpBytesPerSec, "down": l.DownBytesPerSec} {
		if perSec != 0 {
			table[way] = strconv.FormatFloat(perSec*8/1e3, 'g', -1, 64) + "kbit"
		}
	}
	return table
}

// settings are keys with their values.
type settings []scenario.Setting

func (l *settings) text(key, text string) {
	if text != "" {
		*l = append(*l, scenario.Setting{Key: key, Text: text})
	}
}

func (l *settings) count(key string, n int64) {
	if n != 0 {
		l.text(key, strconv.FormatInt(n, 10))
	}
}

func (l *settings) span(key string, ns int64) {
	if ns != 0 {
		l.text(key, time.Duration(ns).String())
	}
}

func (l *settings) table(key string, table map[string]string) {
	if table != nil {
		*l = append(*l, scenario.Setting{Key: key, Map: table})
	}
}
