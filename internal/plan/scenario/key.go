package scenario

import (
	"slices"
	"time"

	"rpcbench/internal/stack"
)

// A key is one setting of a case.
type key struct {
	name string
	// kinds are those whose calls can have it.
	kinds []string
	// lone is the kind whose one unrepeated message the key sizes: the response of an upload, the request of a download.
	lone string
	// rival is the key that it excludes in one layer and replaces in a farther one.
	rival string
	// fallback is the value, in YAML, where no layer has one or the kind can't have it; "" leaves the field empty.
	fallback func(kind string) string
	// batched replaces the fallback in a case that has batches; "" does not.
	batched string
	// read checks a value, or a list of them where the key is an axis, and sets it in the case.
	read func(c *Case, value node) error
}

var (
	kinds = []string{stack.KindConnect, stack.KindFirstCall, stack.KindUnary, stack.KindStream, stack.KindPingPong,
		stack.KindBurst, stack.KindUpload, stack.KindDownload, stack.KindEncode, stack.KindDecode}
	counted   = kinds[:2]  // end after a number of calls, carry no payload
	timed     = kinds[2:]  // may end after a time
	served    = kinds[:8]  // have a server
	carrying  = kinds[2:8] // carry payload to a server and back
	coding    = kinds[8:]  // have no server
	repeating = []string{stack.KindStream, stack.KindBurst, stack.KindUpload, stack.KindDownload}
	sharing   = []string{stack.KindPingPong, stack.KindBurst} // streams that are open already
	batching  = []string{stack.KindUnary, stack.KindPingPong, stack.KindBurst, stack.KindUpload}
)

// keys are all that a case may have beside its title and kind, in the order of the manual.
var keys = []key{
	axis("stack", kinds, scalarOf(name), func(c *Case) *[]string { return &c.Stacks }, always("")),
	axis("server", served, scalarOf(name), func(c *Case) *[]string { return &c.Servers }, always("")),
	axis("batch", batching, scalarOf(count(1, stack.BatchMax)), func(c *Case) *[]int { return &c.Batches }, always("")),
	axis("request_bytes", carrying, scalarOf(size), func(c *Case) *[]int { return &c.RequestBytes }, requestBytes).
		ofLone(stack.KindDownload).inBatches("8"),
	axis("response_bytes", carrying, scalarOf(size), func(c *Case) *[]int { return &c.ResponseBytes }, responseBytes).
		ofLone(stack.KindUpload),
	axis("messages", repeating, scalarOf(count(1, MessagesMax)), func(c *Case) *[]int { return &c.Messages },
		messages),
	axis("shape", served, scalarOf(shape), func(c *Case) *[]Shape { return &c.Shapes }, always("1x1")),
	axis("streams", sharing, scalarOf(count(1, SlotsMax)), func(c *Case) *[]int { return &c.Streams }, always("")),
	axis("servers", served, scalarOf(count(1, ServersMax)), func(c *Case) *[]int { return &c.ServerCounts }, always("")),
	axis("load", served, scalarOf(load), func(c *Case) *[]Arrivals { return &c.Loads }, always("closed")),
	axis("security", served, scalarOf(oneOf(stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS)),
		func(c *Case) *[]string { return &c.Securities }, always(stack.SecurityPlaintext)),
	axis("network", served, scalarOf(oneOf(stack.NetworkTCP, stack.NetworkUnix)),
		func(c *Case) *[]string { return &c.Networks }, always(stack.NetworkTCP)),
	axis("link", served, link, func(c *Case) *[]Link { return &c.Links }, always("")),
	axis("compression", served[1:], scalarOf(oneOf(stack.CompressionNone, stack.CompressionGzip)),
		func(c *Case) *[]string { return &c.Compressions }, always(stack.CompressionNone)),
	axis("payload", carrying, scalarOf(oneOf("random", "json", "zeros")),
		func(c *Case) *[]string { return &c.Payloads }, always("random")),
	axis("message", coding, scalarOf(oneOf(All, "small", "address-book", "newsfeed", "large", "large-dense",
		"large-sparse")), func(c *Case) *[]string { return &c.CodecMessages }, among(coding, All)),
	axis("codec", coding, scalarOf(name), func(c *Case) *[]string { return &c.Codecs }, among(coding, All)),
	axis("client_cpus", kinds, scalarOf(cpus), func(c *Case) *[]string { return &c.ClientCPUs }, always("")),
	axis("server_cpus", served, scalarOf(cpus), func(c *Case) *[]string { return &c.ServerCPUs }, always("")),
	axis("options", kinds, options, func(c *Case) *[]map[string]string { return &c.Options }, always("")),
	axis("jvm_options", kinds, scalarOf(jvmOptions), func(c *Case) *[]string { return &c.JVMOptions }, always("")),
	axis("background", carrying, background, func(c *Case) *[]Background { return &c.Backgrounds }, always("")),
	axis("deadline", kinds, scalarOf(span(DeadlineMin)), func(c *Case) *[]time.Duration { return &c.Deadlines },
		always("10s")),
	single("sample", coding, sample, func(c *Case) *time.Duration { return &c.Sample },
		among(coding, SampleDefault.String())),
	single("duration", timed, span(positive), func(c *Case) *time.Duration { return &c.Duration }, among(timed, "5s")).
		against("calls"),
	single("calls", kinds, count[int64](1, CallsMax), func(c *Case) *int64 { return &c.Calls }, among(counted, "1000")).
		against("duration"),
	single("warmup", kinds, warmup, func(c *Case) *Warmup { return &c.Warmup }, always("1s")),
	single("drain", kinds, span(positive), func(c *Case) *time.Duration { return &c.Drain }, always("10s")),
	single("trials", kinds, count(1, TrialsMax), func(c *Case) *int { return &c.Trials }, always("3")),
}

func keyNames() []string {
	names := []string{"kind"}
	for _, k := range keys {
		names = append(names, k.name)
	}
	return names
}

func keyNamed(name string) (key, bool) {
	i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
	if i < 0 {
		return key{}, false
	}
	return keys[i], true
}

// can tells whether a call of the kind can have the key.
func (k key) can(kind string) bool { return slices.Contains(k.kinds, kind) }

func (k key) ofLone(kind string) key { k.lone = kind; return k }

func (k key) inBatches(value string) key { k.batched = value; return k }

func (k key) against(rival string) key { k.rival = rival; return k }

// axis is a key that may have a list.
func axis[T any](name string, kinds []string, parse func(node) (T, error), place func(*Case) *[]T,
	fallback func(string) string) key {
	read := func(c *Case, value node) error {
		values, err := readAxis(name, value, parse)
		*place(c) = values
		return err
	}
	return key{name: name, kinds: kinds, fallback: fallback, read: read}
}

func readAxis[T any](name string, value node, parse func(node) (T, error)) ([]T, error) {
	items := value.items()
	if len(items) == 0 {
		return nil, Errorf(value.at, "%s: the list is empty", name)
	}
	values := make([]T, len(items))
	for i, item := range items {
		var err error
		if values[i], err = parse(item); err != nil {
			return nil, Errorf(item.at, "%s: %v", name, err)
		}
	}
	return values, nil
}

// single is a key with one value.
func single[T any](name string, kinds []string, parse func(string) (T, error), place func(*Case) *T,
	fallback func(string) string) key {
	read := func(c *Case, value node) error {
		if value.form == list {
			return Errorf(value.at, "%s: a list is allowed on an axis only, and this key is none", name)
		}
		v, err := scalarOf(parse)(value)
		if err != nil {
			return Errorf(value.at, "%s: %v", name, err)
		}
		*place(c) = v
		return nil
	}
	return key{name: name, kinds: kinds, fallback: fallback, read: read}
}

func always(value string) func(string) string { return func(string) string { return value } }

func among(kinds []string, value string) func(string) string {
	return func(kind string) string {
		if slices.Contains(kinds, kind) {
			return value
		}
		return ""
	}
}

func messages(kind string) string {
	if kind == stack.KindBurst {
		return "100"
	}
	return among(repeating, "1000")(kind)
}

func requestBytes(kind string) string {
	switch kind {
	case stack.KindConnect, stack.KindFirstCall, stack.KindDownload, stack.KindEncode, stack.KindDecode:
		return "0"
	default:
		return "1000"
	}
}

func responseBytes(kind string) string {
	switch kind {
	case stack.KindConnect, stack.KindFirstCall, stack.KindUpload, stack.KindEncode, stack.KindDecode:
		return "0"
	case stack.KindDownload:
		return "1000"
	default:
		return "" // as many as the request
	}
}
