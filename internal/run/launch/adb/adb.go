// Package adb launches workers in the Android app of a phone that adb, the bridge of Android's developers, reaches: it starts the
// app anew for each trial, and speaks worker.v1 over a socket that adb forwards to it.
//
// Commands of adb are short, and bounded. The phone calls servers over the network that it is in, not through adb.
package adb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/call/target"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/patience"
)

const (
	// Scheme is the prefix of a phone's address.
	Scheme = "adb:"
	// HostID is the phone in results.
	HostID = "phone"

	activity = "rpcbench.android/.WorkerActivity"
	socket   = "localabstract:rpcbench"
)

const (
	// commandPatience is how long a command of adb may take; the first one starts its server.
	commandPatience = 30 * time.Second
	// startPatience is how long the app may take to send Hello.
	startPatience = 30 * time.Second
	// againAfter is the pause before another attempt if the app does not listen yet.
	againAfter = 100 * time.Millisecond
)

// Stacks returns the stacks that the app hosts.
func Stacks() []string {
	return []string{"android-grpc-okhttp", "android-http-json-okhttp", "android-codec"}
}

// A Phone is one that adb reaches.
type Phone struct {
	Serial string // as adb devices prints it; empty is the only one there is
	Here   string // where the phone reaches this machine: an IP address
}

// Parse reads a phone as a flag has it, adb:[SERIAL][@ADDRESS]. Without an address it is the given one.
func Parse(word, here string) (*Phone, error) {
	rest, isPhone := strings.CutPrefix(word, Scheme)
	serial, address, named := cutLast(rest, "@")
	if !named {
		address = here
	}
	if !isPhone || strings.ContainsFunc(serial, func(r rune) bool { return r <= ' ' }) || strings.HasPrefix(serial, "-") {
		return nil, fmt.Errorf("%q is not adb:[SERIAL][@ADDRESS], such as adb: or adb:R58M123ABC@192.168.1.5", word)
	}
	if net.ParseIP(address) == nil {
		return nil, fmt.Errorf("%q: %q is not an IP address, at which the phone reaches this machine", word, address)
	}
	return &Phone{Serial: serial, Here: address}, nil
}

func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}

func (p *Phone) String() string {
	if p.Serial == "" {
		return "the phone that adb reaches"
	}
	return "the phone " + p.Serial
}

// A Launcher launches workers on a phone, one at a time.
type Launcher struct {
	Phone *Phone
	Adb   string // the program; empty is adb of the PATH
}

// Hosts reports whether the app hosts the stack. A nil Launcher has no phone.
func (l *Launcher) Hosts(stack string) bool { return l != nil && slices.Contains(Stacks(), stack) }

// Launch implements launch.Launcher.
func (l *Launcher) Launch(ctx context.Context, order launch.Order) (launch.Process, error) {
	if len(order.CPUs) > 0 {
		return nil, errors.New("the processors of an app are chosen by Android: leave client_cpus out")
	}
	ctx, cancel := patience.WithTimeout(ctx, startPatience)
	defer cancel()
	// -S stops the running app, so each trial has a fresh process.
	said, err := l.command(ctx, "shell", "am", "start", "-S", "-W", "-n", activity)
	if err != nil {
		return nil, err
	}
	if strings.Contains(said, "Error") {
		return nil, fmt.Errorf("%s does not start the app: %s", l.Phone, plain.Short(launch.LastLine(said), maxReason))
	}
	port, err := l.forward(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := l.connect(ctx, port)
	if err != nil {
		l.unforward(port)
		return nil, err
	}
	return begin(conn, launch.Host{ID: HostID, Address: l.Phone.Here, Unwatched: true}, func() { l.unforward(port) }), nil
}

// forward has adb listen on a free port of this machine, for the app's socket.
func (l *Launcher) forward(ctx context.Context) (port int, err error) {
	said, err := l.command(ctx, "forward", "tcp:0", socket)
	if err != nil {
		return 0, err
	}
	port, err = strconv.Atoi(strings.TrimSpace(said))
	if err != nil || port < 1 || port >= 1<<16 {
		return 0, fmt.Errorf("adb forward printed no port, but %q", plain.Short(said, maxReason))
	}
	return port, nil
}

// unforward ends the forwarding. Errors are ignored: a phone that is gone has none.
func (l *Launcher) unforward(port int) {
	ctx, cancel := context.WithTimeout(context.Background(), commandPatience)
	defer cancel()
	_, _ = l.command(ctx, "forward", "--remove", "tcp:"+strconv.Itoa(port))
}

// connect reaches the app. adb accepts connections before the app listens, and closes them again: then it tries once more.
func (l *Launcher) connect(ctx context.Context, port int) (*reached, error) {
	for {
		conn, err := reach(ctx, port)
		if err == nil {
			return conn, nil
		}
		select {
		case <-time.After(againAfter):
		case <-ctx.Done():
			return nil, fmt.Errorf("the app on %s does not answer within %v; is the phone unlocked?", l.Phone, startPatience)
		}
	}
}

// maxReason limits how much of adb's output is quoted in a sentence.
const maxReason = 300

// command runs adb, and returns its output.
func (l *Launcher) command(ctx context.Context, words ...string) (string, error) {
	program := l.Adb
	if program == "" {
		program = "adb"
	}
	if l.Phone.Serial != "" {
		words = append([]string{"-s", l.Phone.Serial}, words...)
	}
	ctx, cancel := context.WithTimeout(ctx, commandPatience)
	defer cancel()
	command := exec.CommandContext(ctx, program, words...)
	command.WaitDelay = time.Second // its server, which it starts, keeps the output open
	said, err := command.Output()
	var exit *exec.ExitError
	switch {
	case err == nil || errors.Is(err, exec.ErrWaitDelay):
		return string(said), nil
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("there is no adb: install it (Debian's package adb, or Android's platform tools)")
	case ctx.Err() != nil:
		return "", fmt.Errorf("adb did not answer within %v", commandPatience)
	case errors.As(err, &exit) && len(exit.Stderr) > 0:
		return "", fmt.Errorf("adb: %s", plain.Short(strings.TrimPrefix(launch.LastLine(string(exit.Stderr)), "adb: "), maxReason))
	}
	return "", fmt.Errorf("adb: %w", err)
}

// Near makes a process on this machine reachable by the phone: it listens at the address where the phone finds this machine.
func (l *Launcher) Near(p launch.Process) launch.Process {
	if target.IsLoopback(l.Phone.Here) {
		return p
	}
	return launch.At(p, l.Phone.Here)
}
