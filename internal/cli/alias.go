package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// An alias is another tool's spelling of a flag. It is taken in, with dashes or underscores, and never shown in our own
// words.
type alias struct {
	name  string
	flag  string // the canonical flag that it stands for; "" is TARGET, noFlag none
	owner string // whose spelling it is
}

// loadAliases and serveAliases are the one table of them: of load, and of serve.
var loadAliases = []alias{
	{"server", "", "vanadium"},
	{"iterations", "calls", "vanadium"},
	{"chunk-count", "messages", "vanadium"}, // 0 is a unary call
	{"payload-size", "request-bytes", "vanadium"},
	{"mux-chunk-count", "background", "vanadium"}, // only together, as there
	{"mux-payload-size", "background", "vanadium"},
	{"address", "", "qps_client"},
	{"channels", "connections", "qps_client"},
	{"outstanding-rpcs", "in-flight", "qps_client"},
	{"client-payload", "request-bytes", "qps_client"},
	{"server-payload", "response-bytes", "qps_client"},
	{"warmup-duration", "warmup", "qps_client"},
	{"streaming-rpcs", "kind", "qps_client"},
	{"target-qps", "rate", "openloop_client"},
	{"tls", "security", "qps_client"},
	{"transport", "stack", "qps_client"},
	{"directexecutor", "option", "qps_client"},
	{"flow-control-window", "option", "qps_client"},
	{"concurrency", "in-flight", "ghz"}, // of all connections together
	{"total", "calls", "ghz"},
	{"async", "in-flight", "ghz"},
	{"rps", "rate", "ghz"},
	{"timeout", "deadline", "ghz"},
	{"enable-compression", "compression", "ghz"},
	{"insecure", "security", "ghz"},
	{"skipTLS", "insecure-skip-verify", "ghz"},
	{"cname", "server-name", "ghz"},
	{"data-file", "data", "ghz"},
	{"binary-file", "data", "ghz"},
	{"metadata-file", "metadata", "ghz"},
	{"import-paths", "import-path", "ghz"},
	{"load-schedule", "schedule", "ghz"},
	{"load-start", "schedule", "ghz"},
	{"load-step", "schedule", "ghz"},
	{"load-end", "schedule", "ghz"},
	{"load-step-duration", "schedule", "ghz"},
	{"load-max-duration", "schedule", "ghz"},
	{"concurrency-schedule", "ramp", "ghz"},
	{"concurrency-start", "ramp", "ghz"},
	{"concurrency-step", "ramp", "ghz"},
	{"concurrency-end", "ramp", "ghz"},
	{"concurrency-step-duration", "ramp", "ghz"},
	{"concurrency-max-duration", "ramp", "ghz"},
	{"stream-interval", "message-rate", "ghz"},
	{"stream-call-count", "messages", "ghz"},
	{"stream-call-duration", "messages", "ghz"}, // with stream-interval
	{"stream-dynamic-messages", "data", "ghz"},  // functions do so anyway
	{"output-format", "format", "ghz"},          // its own --format, which has other words, is ours too
	{"content-type", "metadata", "hey"},
	{"accept", "metadata", "hey"},
	{"host", "authority", "hey"},
	{"h2", "http2", "hey"},
	{"qps", "rate", "hey"}, // for each of its workers
	{"disable-keepalive", "option", "hey"},
	{"disable-compression", "compression", "hey"},
	{"disable-redirects", noFlag, "hey"}, // none is followed anyway
	{"proxy", noFlag, "hey"},
	{"cpus", noFlag, "hey"},
}

// noFlag is what words stand for that ask for what is so anyway, or can't be had.
const noFlag = "-"

// shorthands are letters of ghz and hey for aliases; those of our own flags stand with them.
var shorthands = map[string]string{
	"concurrency": "c", "total": "n", "rps": "r", "timeout": "t", "enable-compression": "e", "data-file": "D",
	"binary-file": "B", "metadata-file": "M", "import-paths": "i", "output-format": "O", "content-type": "T", "accept": "A",
	"qps": "q", "proxy": "x",
}

// formatsOfGhz are its words for formats where we have others.
var formatsOfGhz = map[string]string{"summary": "text", "pretty": "json"}

var serveAliases = []alias{
	{"address", "listen", "qps_server"},
	{"tls", "security", "qps_server"},
	{"transport", "stack", "qps_server"},
	{"directexecutor", "option", "qps_server"},
	{"flow-control-window", "option", "qps_server"},
}

// switches are the aliases that stand alone, as --tls, or with =true or =false.
var switches = map[string]bool{
	"streaming-rpcs": true, "tls": true, "directexecutor": true, "async": true, "enable-compression": true, "insecure": true,
	"skipTLS": true, "stream-dynamic-messages": true, "h2": true, "disable-keepalive": true, "disable-compression": true,
	"disable-redirects": true,
}

// transports are grpc-java's, as its stacks and their option have them.
var transports = map[string]struct{ stack, option string }{
	"netty_nio":                {"grpc-java-netty", "transport=nio"},
	"netty_epoll":              {"grpc-java-netty", "transport=epoll"},
	"netty_unix_domain_socket": {"grpc-java-netty", "transport=epoll"},
	"ok_http":                  {"grpc-java-okhttp", ""},
}

// openInFlight is how many calls --target-qps has in flight where nobody says: its client has no limit of them, and a
// server that keeps up never has so many.
const openInFlight = "1000"

// addAliases adds aliases to the flags, hidden from their help. They hold text: the canonical flag judges it.
func addAliases(flags *pflag.FlagSet, aliases []alias) {
	for _, a := range aliases {
		flags.StringP(a.name, shorthands[a.name], "", fmt.Sprintf("%s's word for %s", a.owner, a.meaning()))
		_ = flags.MarkHidden(a.name) // it is there
		if switches[a.name] {
			flags.Lookup(a.name).NoOptDefVal = "true"
		}
	}
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
}

func (a alias) meaning() string {
	switch a.flag {
	case "":
		return "TARGET"
	case noFlag:
		return "what is not here"
	default:
		return "--" + a.flag
	}
}

// isKey tells whether the alias stands for a flag that is a key of a scenario, and says the same as it.
func (a alias) isKey() bool {
	switch a.flag {
	case "calls", "messages", "request-bytes", "response-bytes":
		return a.name != "stream-call-duration"
	default:
		return false
	}
}

// given returns the text of an alias, and whether somebody wrote it.
func given(flags *pflag.FlagSet, name string) (text string, ok bool) {
	f := flags.Lookup(name)
	return f.Value.String(), f.Changed
}

// byAlias tells whether an alias for a flag of load is given.
func byAlias(flags *pflag.FlagSet, name string) bool {
	return slices.ContainsFunc(loadAliases, func(a alias) bool { return a.flag == name && flags.Changed(a.name) })
}

// beside are aliases that may stand beside the flag that they are about.
var beside = map[string]bool{"async": true, "stream-dynamic-messages": true}

// severalMayBe are flags that may be given several times, or that several aliases say together.
var severalMayBe = map[string]bool{"option": true, "metadata": true, "schedule": true, "ramp": true}

// checkAliases refuses an alias beside the flag that it stands for, or beside another alias for it. Options are many, so
// that only the same one twice is refused, where they are read.
func checkAliases(flags *pflag.FlagSet, aliases []alias, target bool) error {
	said := map[string]string{}
	for _, a := range aliases {
		if _, ok := given(flags, a.name); !ok || severalMayBe[a.flag] || beside[a.name] || a.flag == noFlag {
			continue
		}
		switch first, twice := said[a.flag]; {
		case a.flag == "" && target:
			return fmt.Errorf("--%s stands for TARGET, and both are given", a.name)
		case a.flag != "" && flags.Changed(a.flag):
			return fmt.Errorf("--%s stands for --%s, and both are given", a.name, a.flag)
		case twice && a.flag != "background":
			return fmt.Errorf("--%s and --%s both stand for %s", first, a.name, a.meaning())
		}
		said[a.flag] = a.name
	}
	return nil
}

// rewriteAliases sets the canonical flags of aliases that say it in another way, or stand for several.
func rewriteAliases(flags *pflag.FlagSet, aliases []alias) error {
	for _, a := range aliases {
		value, ok := given(flags, a.name)
		if !ok {
			continue
		}
		if err := a.rewrite(flags, value); err != nil {
			return fmt.Errorf("--%s %s: %w", a.name, value, err)
		}
	}
	return nil
}

// rewrite sets the canonical flags of one alias.
func (a alias) rewrite(flags *pflag.FlagSet, value string) error {
	on := true
	if switches[a.name] {
		var err error
		if on, err = strconv.ParseBool(value); err != nil {
			return errors.New("it is true or false")
		}
	}
	switch a.name {
	case "channels", "outstanding-rpcs":
		return flags.Set(a.flag, value)
	case "address":
		if a.flag != "" { // of load it is TARGET
			return flags.Set(a.flag, value)
		}
	case "warmup-duration":
		return flags.Set(a.flag, seconds(value))
	case "streaming-rpcs":
		return setIf(on, flags, a.flag, "ping_pong")
	case "tls":
		return setIf(on, flags, a.flag, "tls")
	case "directexecutor":
		return flags.Set(a.flag, "direct_executor="+strconv.FormatBool(on))
	case "flow-control-window":
		return flags.Set(a.flag, windowOption(flags)+"="+value)
	case "target-qps":
		return openLoop(flags, value)
	case "transport":
		return transport(flags, value)
	default:
		return a.rewriteGhz(flags, value, on)
	}
	return nil
}

// switched are the values that ghz's switches set.
var switched = map[string]string{"enable-compression": "gzip", "insecure": "plaintext", "skipTLS": "true"}

// rewriteGhz is rewrite for words of ghz.
func (a alias) rewriteGhz(flags *pflag.FlagSet, value string, on bool) error {
	switch a.name {
	case "enable-compression", "insecure", "skipTLS":
		return setIf(on, flags, a.flag, switched[a.name])
	case "async":
		return setIf(on && !flags.Changed(a.flag), flags, a.flag, openInFlight)
	case "concurrency":
		return shareInFlight(flags, value)
	case "rps":
		return flags.Set(a.flag, value)
	case "timeout":
		return flags.Set(a.flag, seconds(value))
	case "cname":
		return flags.Set(a.flag, value)
	case "output-format":
		ours := cmp.Or(formatsOfGhz[value], value)
		return errors.Join(checkFormat(ours, streams()), flags.Set(a.flag, ours))
	case "stream-interval", "stream-call-duration", "stream-dynamic-messages":
		return a.rewriteStream(flags, value, on)
	default:
		return errors.Join(a.rewriteFile(flags, value), a.rewriteHey(flags, value, on))
	}
}

// rewriteFile is rewrite for ghz's words for files.
func (a alias) rewriteFile(flags *pflag.FlagSet, value string) error {
	switch a.name {
	case "data-file", "metadata-file":
		return flags.Set(a.flag, "@"+value)
	case "binary-file":
		return errors.Join(flags.Set(a.flag, "@"+value), flags.Set("data-format", "binary"))
	case "import-paths":
		var err error
		for folder := range strings.SplitSeq(value, ",") {
			err = errors.Join(err, flags.Set(a.flag, folder))
		}
		return err
	default:
		return nil
	}
}

// shareInFlight deals calls in flight over the connections.
func shareInFlight(flags *pflag.FlagSet, total string) error {
	all, err := strconv.Atoi(total)
	if err != nil || all < 1 {
		return errors.New("it is not a whole number of 1 or more")
	}
	connections := connectionsOf(flags)
	if all%connections != 0 {
		return fmt.Errorf("so many can't be dealt evenly over --connections %d", connections)
	}
	return flags.Set("in-flight", strconv.Itoa(all/connections))
}

// connectionsOf is what --connections says, or 1 where that is no number, which is said where it is read.
func connectionsOf(flags *pflag.FlagSet) int {
	connections, err := strconv.Atoi(flags.Lookup("connections").Value.String())
	if err != nil || connections < 1 {
		return 1
	}
	return connections
}

func setIf(on bool, flags *pflag.FlagSet, name, value string) error {
	if !on {
		return nil
	}
	return flags.Set(name, value)
}

// openLoop is openloop_client's load: calls at random, with no limit to how many are out.
func openLoop(flags *pflag.FlagSet, perSec string) error {
	err := errors.Join(flags.Set("rate", perSec), flags.Set("poisson", "true"))
	if err == nil && !flags.Changed("in-flight") {
		err = flags.Set("in-flight", openInFlight)
	}
	return err
}

// transport chooses a stack of grpc-java, and its own option.
func transport(flags *pflag.FlagSet, name string) error {
	meant, ok := transports[name]
	if !ok {
		return errors.New("there are netty_nio, netty_epoll, netty_unix_domain_socket, ok_http")
	}
	if meant.option != "" {
		if err := flags.Set("option", meant.option); err != nil {
			return err
		}
	}
	return flags.Set("stack", meant.stack)
}

// windowOption is what the stack calls its flow-control window. The transport, which chooses the stack, stands before it
// in the table.
func windowOption(flags *pflag.FlagSet) string {
	if name, _ := given(flags, "stack"); name == "" || name == "grpc-go" {
		return "window_bytes"
	}
	return "flow_control_window_bytes"
}

// seconds makes a number alone one of seconds, as qps_client has it.
func seconds(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil && strings.Trim(text, "0123456789.") == "" {
		return text + "s"
	}
	return text
}

// asWritten is how somebody wrote a flag of load and its value: by an alias, where there is one for it.
func asWritten(flags *pflag.FlagSet, name, value string) string {
	for _, a := range loadAliases {
		text, ok := given(flags, a.name)
		switch {
		case !ok || a.flag != name:
		case switches[a.name]:
			return "--" + a.name
		default:
			return "--" + a.name + " " + text
		}
	}
	return "--" + name + " " + value
}
