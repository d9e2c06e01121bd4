package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// An alias is another tool's spelling of a flag. It is taken in, with dashes or underscores, and never shown in our own
// words.
type alias struct {
	name  string
	flag  string // the canonical flag that it stands for; "" is TARGET
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
}

var serveAliases = []alias{
	{"address", "listen", "qps_server"},
	{"tls", "security", "qps_server"},
	{"transport", "stack", "qps_server"},
	{"directexecutor", "option", "qps_server"},
	{"flow-control-window", "option", "qps_server"},
}

// switches are the aliases that stand alone, as --tls, or with =true or =false.
var switches = map[string]bool{"streaming-rpcs": true, "tls": true, "directexecutor": true}

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
		flags.String(a.name, "", fmt.Sprintf("%s's word for %s", a.owner, a.meaning()))
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
	if a.flag == "" {
		return "TARGET"
	}
	return "--" + a.flag
}

// isKey tells whether the alias stands for a flag that is a key of a scenario, and says the same as it.
func (a alias) isKey() bool {
	switch a.flag {
	case "calls", "messages", "request-bytes", "response-bytes":
		return true
	default:
		return false
	}
}

// given returns the text of an alias, and whether somebody wrote it.
func given(flags *pflag.FlagSet, name string) (text string, ok bool) {
	f := flags.Lookup(name)
	return f.Value.String(), f.Changed
}

// checkAliases refuses an alias beside the flag that it stands for, or beside another alias for it. Options are many, so
// that only the same one twice is refused, where they are read.
func checkAliases(flags *pflag.FlagSet, aliases []alias, target bool) error {
	said := map[string]string{}
	for _, a := range aliases {
		if _, ok := given(flags, a.name); !ok || a.flag == "option" {
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
	}
	return nil
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
	if text != "" && strings.Trim(text, "0123456789") == "" {
		return text + "s"
	}
	return text
}
