package alias

import (
	"errors"
	"strconv"

	"rpcbench/internal/plan/schedule"
)

// openInFlight is the default number of calls in flight for --target-qps: its client has no limit, and a server that keeps up
// never reaches this one.
const openInFlight = "1000"

// openLoop is openloop_client's load: calls at random, with no limit to how many are out.
func openLoop(w *Words, a Alias, perSec string) error {
	err := errors.Join(w.flags.Set(a.flag, perSec), w.flags.Set("poisson", "true"))
	if err == nil && !w.flags.Changed("in-flight") {
		err = w.flags.Set("in-flight", openInFlight)
	}
	return err
}

// serverCPU requires that the server's processors are used up to that percentage.
func serverCPU(w *Words, a Alias, percent string) error {
	if n, err := strconv.ParseFloat(percent, 64); err != nil || !(n > 0 && n <= 100) {
		return errors.New("it is not a number of percent up to 100, such as 70")
	}
	return w.flags.Set(a.flag, "server_cpu_ratio<="+percent+"%")
}

// searchParam takes the one parameter that capacity searches for.
func searchParam(_ *Words, _ Alias, name string) error {
	if name != "offered_load" {
		return errors.New("capacity searches for offered_load")
	}
	return nil
}

// transports maps grpc-java's transports to its stacks and their option.
var transports = map[string]struct{ stack, option string }{
	"netty_nio":                {"grpc-java-netty", "transport=nio"},
	"netty_epoll":              {"grpc-java-netty", "transport=epoll"},
	"netty_unix_domain_socket": {"grpc-java-netty", "transport=epoll"},
	"ok_http":                  {"grpc-java-okhttp", ""},
}

// transport chooses a stack of grpc-java, and its own option.
func transport(w *Words, a Alias, name string) error {
	meant, ok := transports[name]
	if !ok {
		return errors.New("there are netty_nio, netty_epoll, netty_unix_domain_socket, ok_http")
	}
	if meant.option != "" {
		if err := w.flags.Set("option", meant.option); err != nil {
			return err
		}
	}
	return w.flags.Set(a.flag, meant.stack)
}

// window sets the option that the stack has for its flow-control window.
func window(w *Words, a Alias, value string) error {
	name := "flow_control_window_bytes"
	if stack, _ := w.given("stack"); stack == "" || stack == "grpc-go" {
		name = "window_bytes"
	}
	return w.flags.Set(a.flag, name+"="+value)
}

// inSeconds is a duration, or a number of seconds.
func inSeconds(w *Words, a Alias, value string) error {
	return w.flags.Set(a.flag, schedule.Seconds(value))
}
