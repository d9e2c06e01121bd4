package point

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/stack"
)

// String names the measurement in one line for progress and errors: stack, kind, sizes, shape and load, then whatever
// differs from the defaults. How long is measured is not told.
//
//	grpc-go unary 1000 B 1x50 closed
//	grpc-go ping_pong batch 100 of 8 B 1x1 closed over wan
//	grpc-go upload 10 x 1000/0 B 1x1 constant 500/s tls
//	codec-go encode newsfeed json-gzip
//	grpc-wire unary shop.v1.Shop/Get 22 B from --data 1x1 closed
func (s Spec) String() string {
	words := []string{s.Stack, s.Kind}
	if s.Method != nil {
		words = append(words, s.Method.Name)
	}
	if stack.IsCodec(s.Kind) {
		return strings.Join(append(append(words, s.Message, s.Codec), s.peculiar()...), " ")
	}
	if sizes := s.sizes(); sizes != "" {
		words = append(words, sizes)
	}
	if s.Method != nil && s.Method.Requests != requestsNothing && s.Method.Requests != "" {
		words = append(words, "from "+s.Method.Requests)
	}
	if s.Connections > 0 { // which a comparison of shapes leaves out
		words = append(words, fmt.Sprintf("%dx%d", s.Connections, s.InFlight))
	}
	words = append(words, s.load())
	return strings.Join(append(words, s.peculiar()...), " ")
}

// sizes returns "1000 B" if request and response are equal, else "1000/0 B"; with the prefix "batch 10 of " for messages of
// several operations, and "10 x " for repeated messages.
func (s Spec) sizes() string {
	switch {
	case s.Kind == stack.KindConnect || s.Kind == stack.KindFirstCall:
		return ""
	case s.Method != nil:
		return s.Method.sizes(s.Messages)
	}
	if s.RequestSizes != nil || s.ResponseSizes != nil {
		return s.drawnSizes()
	}
	return sizes(s.Messages, s.Batch, s.RequestBytes, s.ResponseBytes)
}

// drawnSizes is "uniform 1..1kB", with that of replies behind it where these are not as long.
func (s Spec) drawnSizes() string {
	words := s.RequestSizes.String()
	if s.RequestSizes == nil {
		words = fmt.Sprintf("%d B", s.RequestBytes)
	}
	if s.ResponseSizes != nil {
		words += " / " + s.ResponseSizes.String()
	}
	if s.Messages > 0 {
		words = fmt.Sprintf("%d x %s", s.Messages, words)
	}
	return words
}

// sizes returns the sizes of requests, with the number of messages of each if that was asked for.
func (m *Method) sizes(messages int) string {
	sizes := m.RequestSizes().String()
	switch {
	case messages == 0:
		return sizes
	case sizes == "":
		return fmt.Sprintf("%d messages", messages)
	default:
		return fmt.Sprintf("%d messages of %s", messages, sizes)
	}
}

func sizes(messages, batch, request, response int) string {
	sizes := fmt.Sprintf("%d/%d B", request, response)
	if request == response {
		sizes = fmt.Sprintf("%d B", request)
	}
	if batch > 0 {
		sizes = fmt.Sprintf("batch %d of %s", batch, sizes)
	}
	if messages > 0 {
		sizes = fmt.Sprintf("%d x %s", messages, sizes)
	}
	return sizes
}

func (s Spec) load() string {
	if s.Schedule != nil {
		return s.Load + " " + s.Schedule.String()
	}
	if s.Load == LoadClosed {
		return s.Load
	}
	return s.Load + " " + strconv.FormatFloat(s.OfferedPerSec, 'f', -1, 64) + "/s"
}

// peculiar lists the differences from the defaults.
func (s Spec) peculiar() []string {
	var words []string
	add := func(differs bool, format string, value any) {
		if differs {
			words = append(words, fmt.Sprintf(format, value))
		}
	}
	add(s.MessageRatePerSec > 0, "%s messages/s in each", strconv.FormatFloat(s.MessageRatePerSec, 'f', -1, 64))
	add(s.Target != "", "against %s", s.Target)
	add(s.Target == "" && s.Server != s.Stack && !stack.IsCodec(s.Kind), "server %s", s.Server)
	add(stack.SharesStreams(s.Kind) && s.Streams != s.InFlight, "streams %d", s.Streams)
	add(s.ServerCount() > 1, "%d servers", s.ServerCount())
	add(s.ClientCount() > 1, "%d clients", s.ClientCount())
	add(s.Security != stack.SecurityPlaintext, "%s", s.Security)
	add(s.Unverified, "%s", "unverified")
	add(s.Network != stack.NetworkTCP, "%s", s.Network)
	if s.Link != nil {
		add(true, "over %s", s.Link)
	}
	add(s.Compression != stack.CompressionNone, "%s", s.Compression)
	add(s.Payload != "random" && s.Method == nil, "%s", s.Payload)
	add(s.ClientCPUs != "", "client on %s", s.ClientCPUs)
	add(s.ServerCPUs != "", "server on %s", s.ServerCPUs)
	add(s.JVMOptions != "", "JVM %s", s.JVMOptions)
	sample := time.Duration(s.SampleNs)
	add(sample != 0 && sample != SampleDefault, "sample %s", sample)
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		add(true, "%s", name+"="+s.Options[name])
	}
	if s.Background != nil {
		add(true, "beside %s", s.Background)
	}
	deadline := time.Duration(s.DeadlineNs)
	add(deadline != deadlineDefault, "deadline %s", deadline)
	for _, key := range declared {
		if key.Words != nil {
			add(key.Words(s) != "", "%s", key.Words(s))
		}
	}
	return words
}
