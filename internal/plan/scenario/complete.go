package scenario

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/stack"
)

// complete refuses keys that conflict with the case's other keys, and fills in what follows from them.
func (c *Case) complete() error {
	c.readService()
	for _, step := range []func(*Case) error{
		(*Case).checkRoom, (*Case).checkMix, (*Case).checkData, (*Case).checkOffers, (*Case).completeShape,
		(*Case).completeRamp, (*Case).completeRate,
		(*Case).completeSecurity, (*Case).completeHTTP, (*Case).checkMessageRate, (*Case).completeNetwork,
	} {
		if err := step(c); err != nil {
			return err
		}
	}
	return nil
}

// readService reads the keys of a foreign server.
func (c *Case) readService() {
	c.service = c.first().Service
	c.service.Started = c.service.CallsMethods() && !c.service.Runs() && c.hasPrograms()
}

// hasPrograms reports whether a server of the case is a program.
func (c *Case) hasPrograms() bool {
	return slices.ContainsFunc(c.Each("server"), func(p point.Asked) bool { return p.Program != nil })
}

// completeNetwork sets that of the target.
func (c *Case) completeNetwork() error {
	if !c.service.Runs() {
		return nil
	}
	return c.put("network", node{Text: c.service.Target.Network})
}

// A room is keys that only some services have.
type room struct {
	keys   []string
	closed func(point.Service) bool
	why    string
}

var rooms = []room{
	{[]string{"call", "mix"}, point.Service.IsZero, "only a case with a target, or with a program as server, may have it"},
	{[]string{"tls", "credentials", "as", "verify"}, func(s point.Service) bool { return !s.Runs() },
		"only a case with a target may have it"},
	{[]string{"server", "servers", "server_cpus"}, point.Service.Runs, "the target is a running server"},
	{[]string{"network"}, point.Service.Runs, "the target determines it"},
	{[]string{"call"}, func(s point.Service) bool { return s.Target.IsHTTP() },
		"it names a method of gRPC, and the target is a URL: give host:port, or leave call out"},
	{[]string{"proto", "import_path", "protoset", "reflect_metadata", "message_rate"},
		func(s point.Service) bool { return !s.CallsMethods() }, "only a case with call, which names a method, may have it"},
	{[]string{"call", "method", "expect_status", "data", "data_file", "data_format"},
		func(s point.Service) bool { return len(s.Mix) > 0 },
		"each call of mix has its own; write it there"},
	{[]string{"method", "expect_status", "http2", "unix_socket"}, func(s point.Service) bool { return !s.Target.IsHTTP() },
		"only a case with a URL as target may have it, such as http://localhost:8080/"},
	{[]string{"data", "data_file", "data_format", "rows_file", "sample_data", "metadata", "token_file", "token_env", "authority"},
		func(s point.Service) bool { return !s.IsForeign() },
		"only a case with call, which names a method, or with a URL as target may have it"},
	{[]string{"request_bytes", "response_bytes", "payload", "batch", "background", "verify"}, point.Service.IsForeign,
		"a method or a URL has its own requests and replies; data sets what is sent"},
	{[]string{"idle_streams"}, point.Service.IsForeign, "idle streams are of the service of rpcbench's own servers"},
	{[]string{"messages", "streams"}, func(s point.Service) bool { return s.Target.IsHTTP() },
		"a call of a URL is one request and its response"},
}

// checkRoom refuses keys that mean nothing for the service.
func (c *Case) checkRoom() error {
	for _, r := range rooms {
		for _, key := range r.keys {
			switch {
			case !c.Given(key) || !r.closed(c.service):
			case c.given[key].shared:
				c.drop(key)
				c.readService()
			default:
				return Errorf(c.Where(key, 0), "%s: %s", key, r.why)
			}
		}
	}
	if kind := c.Kind; c.service.Target.IsHTTP() && kind != stack.KindUnary {
		return Errorf(c.Where("kind", 0), "kind: a call of a URL is unary")
	}
	return nil
}

// checkMix refuses calls that don't fit the target.
func (c *Case) checkMix() error {
	s := c.service
	_, err := s.Each()
	switch {
	case len(s.Mix) == 0:
		return nil
	case err != nil:
		return Errorf(c.Where("mix", 0), "mix: %v", err)
	case s.RowsFile == "" && slices.ContainsFunc(s.Mix, samplesNothing):
		return Errorf(c.Where("mix", 0), "mix: sample_data: it applies to the requests of data and to rows, and a call has none")
	case s.Target.IsHTTP() && s.CallsMethods():
		return Errorf(c.Where("mix", 0), "mix: call names a method of gRPC, and the target is a URL: give host:port, or path instead")
	case !s.Target.IsHTTP() && !s.CallsMethods():
		return Errorf(c.Where("mix", 0),
			"mix: path is that of a URL, and the target is none: give a URL such as http://localhost:8080/")
	default:
		return nil
	}
}

// samplesNothing reports whether a call of a mix draws requests, of which it has none.
func samplesNothing(m point.Mixed) bool { return m.Service.SampleData && m.Service.Data == "" }

// checkData refuses keys that say something of another one that is not there.
func (c *Case) checkData() error {
	s := c.service
	switch {
	case c.Given("data_format") && s.Data == "":
		return Errorf(c.Where("data_format", 0), "data_format: it applies to the requests of data, and there are none")
	case c.Given("sample_data") && !s.HasRequests() && s.RowsFile == "":
		return Errorf(c.Where("sample_data", 0), "sample_data: it applies to the requests of data and to rows, and there are none")
	}
	if files := strings.Join(append(s.Protos, s.Protosets...), ", "); c.Given("reflect_metadata") && files != "" {
		return Errorf(c.Where("reflect_metadata", 0),
			"reflect_metadata: it is for the server's reflection, which is not asked where files have the schema: %s", files)
	} else if s.Started && files == "" {
		return Errorf(c.Where("call", 0),
			"call: the schema of %s is not known, as its server does not run yet: name a file that has it, by proto or protoset",
			s.Title())
	}
	return nil
}

// checkOffers refuses servers that don't offer the method.
func (c *Case) checkOffers() error {
	if !c.service.Started {
		return nil
	}
	for i, p := range c.Each("server") {
		switch {
		case p.Program == nil:
			return Errorf(c.Where("server", i), "server: %s does not offer %s; with call, each server is a program",
				p.Server, c.service.Title())
		case p.Program.Protocol != stack.ProtocolGRPC:
			return Errorf(c.Where("server", i), "server: %s is a method of gRPC, and the program %s speaks %s",
				c.service.Title(), p.Server, p.Program.Protocol)
		}
	}
	return nil
}

// completeSecurity sets the mode that follows from target and keys, and refuses one that contradicts them.
func (c *Case) completeSecurity() error {
	s := &c.service
	if s.Started {
		s.Security = stack.SecurityPlaintext
	}
	if !s.Runs() {
		return nil
	}
	if !c.Given("security") {
		if err := c.put("security", node{Text: s.Mode()}); err != nil {
			return err
		}
	}
	modes := c.Each("security")
	if len(modes) > 1 {
		return Errorf(c.Where("security", 1), "security: a target has one, and these are %d", len(modes))
	}
	s.Security = modes[0].Security
	switch plain := s.Security == stack.SecurityPlaintext; {
	case plain && s.Target.IsTLS():
		return Errorf(c.Where("security", 0), "security: %s is TLS: write http://, or give --insecure-skip-verify, "+
			"which does not verify its certificate", s.Target)
	case !plain && s.Target.IsHTTP() && !s.Target.IsTLS():
		return Errorf(c.Where("target", 0), "target: %s is plaintext, and the case says %s; write https://", s.Target, s.Security)
	default:
		return c.checkKeys()
	}
}

// checkKeys refuses keys that the mode of security has no use for, or lacks.
func (c *Case) checkKeys() error {
	s := c.service
	mode, plain := s.Security, s.Security == stack.SecurityPlaintext
	switch {
	case plain && s.Credentials != "":
		return Errorf(c.Where("credentials", 0), "credentials: plaintext has none")
	case plain && s.TLS != point.TLS{}:
		return Errorf(c.Where("tls", 0), "tls: security plaintext has no certificates")
	case mode == stack.SecurityTLS && s.TLS.Cert != "":
		return Errorf(c.Where("tls", 0), "tls: security tls has no certificate of the client's; with cert it is mtls")
	case mode == stack.SecurityMTLS && s.Credentials == "" && s.TLS.Cert == "":
		return Errorf(c.Where("security", 0), "security: mtls needs credentials, a folder of keys, or cert and key of tls")
	default:
		return c.checkNames()
	}
}

// checkNames refuses names of client and server that can't exist.
func (c *Case) checkNames() error {
	s := c.service
	isNamed := s.Target.Name() != "" || s.TLS.ServerName != "" || s.TLS.SkipVerify || s.Credentials != ""
	switch {
	case s.As != "" && s.Security != stack.SecurityMTLS:
		return Errorf(c.Where("as", 0), "as: only with security mtls clients have names")
	case s.As != "" && s.Credentials == "":
		return Errorf(c.Where("as", 0), "as: it needs credentials, the folder with that client's keys")
	case s.Security != stack.SecurityPlaintext && !isNamed:
		return Errorf(c.Where("target", 0),
			"target: TLS over a Unix socket needs server_name of tls, the name in the server's certificate")
	default:
		return nil
	}
}

// completeHTTP says the version of HTTP by the stack's option, so that every report has it.
func (c *Case) completeHTTP() error {
	at := &c.service.Target
	if !at.IsHTTP() {
		return nil
	}
	if at.Socket != "" {
		at.Network, at.Address = stack.NetworkUnix, at.Socket
	}
	points := c.Each("options")
	if len(points) == 0 {
		points = []point.Asked{{}}
	}
	var complete []node
	for i, p := range points {
		options, err := c.withVersion(i, p.Options)
		if err != nil {
			return err
		}
		complete = append(complete, Setting{Map: options}.node(c.Where("options", i)))
	}
	return c.put("options", complete...)
}

// withVersion is number i of the options, with the version of HTTP.
func (c *Case) withVersion(i int, options map[string]string) (map[string]string, error) {
	s := &c.service
	options = maps.Clone(options)
	if options == nil {
		options = map[string]string{}
	}
	switch given, ok := options[stack.OptionHTTPVersion]; {
	case ok && s.HTTP2:
		return nil, Errorf(c.Where("http2", 0), "http2: it is an alias for the option %s; give only one", stack.OptionHTTPVersion)
	case ok:
		s.HTTP2 = given == "2"
	case s.HTTP2:
		options[stack.OptionHTTPVersion] = "2"
	default:
		options[stack.OptionHTTPVersion] = "1.1"
	}
	if s.HTTP2 && options[stack.OptionKeepAlive] == "false" {
		return nil, Errorf(c.Where("options", i), "options: a connection for each call is HTTP/1.1's: %s=false excludes HTTP/2",
			stack.OptionKeepAlive)
	}
	return options, nil
}

// completeRamp sets what follows from a ramp: its duration, and the load that it changes.
func (c *Case) completeRamp() error {
	if !c.Given("ramp") {
		return nil
	}
	if c.Given("rate") && c.rampNearer("rate") {
		c.drop("rate")
	}
	s := c.first().Schedule
	if err := c.takes(s); err != nil {
		return err
	}
	if s.OfRate() {
		return c.rampRate(s)
	}
	return c.rampCalls(s)
}

// rampRate sets the mean rate.
func (c *Case) rampRate(s *point.Schedule) error {
	mean := math.Round(1e6*s.Mean(0, time.Duration(c.first().DurationNs))) / 1e6
	if mean <= 0 {
		return Errorf(c.Where("ramp", 0), "ramp: no call is due")
	}
	for i, p := range c.Each("load") {
		switch {
		case c.rampNearer("load"):
		case p.Load == point.LoadClosed:
			return Errorf(c.Where("load", i), "load: the ramp is one of rates, which need load constant or poisson")
		case p.OfferedPerSec != 0:
			return Errorf(c.Where("load", i), "load: the ramp says the rates; leave this one out")
		}
	}
	var texts []string
	for _, process := range c.processes() {
		texts = append(texts, process+" "+number(mean)+"/s")
	}
	return c.settle("load", "ramp", texts)
}

// rampCalls refuses a load that has no room for the calls.
func (c *Case) rampCalls(s *point.Schedule) error {
	most := int(math.Ceil(s.Most()))
	if s.Area(time.Duration(c.first().DurationNs)) <= 0 {
		return Errorf(c.Where("ramp", 0), "ramp: no call is ever in flight")
	}
	for i, p := range c.Each("load") {
		if p.Load != point.LoadClosed && !c.rampNearer("load") {
			return Errorf(c.Where("load", i), "load: the ramp is one of calls in flight, which are a closed load; "+
				"a ramp of rates has /s, such as line:100..1000/s@60s")
		}
	}
	if err := c.settle("load", "ramp", []string{point.LoadClosed}); err != nil {
		return err
	}
	for i, p := range c.Each("shape") {
		if p.Slots() < most {
			return Errorf(c.Where("shape", i), "shape: %s has no room for the %d calls of the ramp", p.Shape(), most)
		}
	}
	return nil
}

// takes sets how long a load that changes takes, unless the case says so.
func (c *Case) takes(s *point.Schedule) error {
	const key = "ramp"
	duration, _ := point.Named("duration")
	switch {
	case c.Given("calls"):
		return Errorf(c.Where(key, 0), "%s: it ends after a time, and calls after a number of them; leave one out", key)
	case c.Kind != "" && !duration.Can(c.Kind):
		return Errorf(c.Where(key, 0), "%s: it ends after a time, and a load of kind %s after a number of calls", key, c.Kind)
	case c.Kind == "" || c.Given("duration"):
		return nil
	default:
		return c.put("duration", node{Text: s.Length().String()})
	}
}

// checkMessageRate refuses a rate of messages in calls that send one.
func (c *Case) checkMessageRate() error {
	sending := []string{stack.KindUpload, stack.KindStream}
	switch {
	case !c.Given("message_rate") || c.Kind == "" || slices.Contains(sending, c.Kind):
		return nil
	case c.Kind == stack.KindPingPong:
		return Errorf(c.Where("message_rate", 0), "message_rate: of ping_pong a message is a call, and the load says how many a second")
	default:
		return Errorf(c.Where("message_rate", 0), "message_rate: a call of %s, which is %s, sends one message; %s send several",
			c.service.Call, c.Kind, strings.Join(sending, " and "))
	}
}
