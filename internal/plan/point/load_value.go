package point

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"rpcbench/internal/plan/schedule"
	"rpcbench/internal/stack"
)

// shape is connections, and calls in flight on each.
type shape struct{ connections, inFlight int }

// readShape accepts CONNECTIONSxIN_FLIGHT.
func readShape(text string) (shape, error) {
	left, right, found := strings.Cut(text, "x")
	if !found || !digits(left) || !digits(right) {
		return shape{}, fmt.Errorf("%q is not a shape, such as 4x25 (connections x calls in flight on each)", text)
	}
	connections, err := count(1, ConnectionsMax)(left)
	if err != nil {
		return shape{}, fmt.Errorf("%s: connections: %w", text, err)
	}
	inFlight, err := count(1, SlotsMax)(right)
	if err != nil {
		return shape{}, fmt.Errorf("%s: calls in flight: %w", text, err)
	}
	if slots := connections * inFlight; slots > SlotsMax {
		return shape{}, fmt.Errorf("%s: %d calls in flight are above the limit of %d", text, slots, SlotsMax)
	}
	return shape{connections, inFlight}, nil
}

func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// setShape defaults to a stream for each call in flight, for calls that share streams.
func setShape(a *Asked, s shape) {
	a.Connections, a.InFlight = s.connections, s.inFlight
	if stack.SharesStreams(a.Kind) {
		a.Streams = s.inFlight
	}
}

func writeShape(a Asked) Node {
	if a.Connections == 0 && a.InFlight == 0 {
		return absent()
	}
	return Node{Text: a.Shape()}
}

// Shape is "4x25": connections, and calls in flight on each.
func (s Spec) Shape() string { return fmt.Sprintf("%dx%d", s.Connections, s.InFlight) }

// setServers writes one server as 0, as before several were possible.
func setServers(a *Asked, n int) {
	a.Servers, a.OneServer = 0, n == 1
	if n > 1 {
		a.Servers = n
	}
}

// setPorts writes one port as none.
func setPorts(a *Asked, n int) {
	a.Ports = 0
	if n > 1 {
		a.Ports = n
	}
}

// setClients writes one client as 0, as setServers does.
func setClients(a *Asked, n int) {
	a.Clients, a.OneClient = 0, n == 1
	if n > 1 {
		a.Clients = n
	}
}

// arrivals say when calls are due.
type arrivals struct {
	process string
	perSec  float64 // for all connections together; 0 when closed
}

// readLoad accepts "closed", "constant 1000/s" and "poisson 1000/s"; the rate may be that of a schedule.
func readLoad(text string) (arrivals, error) {
	process, rate, paced := strings.Cut(text, " ")
	if _, err := oneOf(LoadClosed, LoadConstant, LoadPoisson)(process); err != nil {
		return arrivals{}, err
	}
	if process == LoadClosed || !paced {
		if paced {
			return arrivals{}, fmt.Errorf("%q: a closed loop has no rate", text)
		}
		return arrivals{process: process}, nil
	}
	number, found := strings.CutSuffix(rate, "/s")
	perSec, err := schedule.ParseDecimal(number)
	switch {
	case !found, err != nil && !errors.Is(err, strconv.ErrRange):
		return arrivals{}, fmt.Errorf("%q has no rate, such as %q", text, process+" 1000/s")
	case perSec <= 0:
		return arrivals{}, fmt.Errorf("%s is not above 0/s", text)
	case perSec < PerSecMin:
		return arrivals{}, fmt.Errorf("%s is below the minimum of %.5f/s, about a call a day", text, PerSecMin)
	case perSec > PerSecMax:
		return arrivals{}, fmt.Errorf("%s is above the limit of %d/s", text, PerSecMax)
	}
	return arrivals{process, perSec}, nil
}

// readRate accepts 1000, and 1000/s as loads have it.
func readRate(text string) (float64, error) {
	number := strings.TrimSuffix(text, schedule.PerSecond)
	if _, err := schedule.ParseDecimal(number); err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is not a number of calls per second, such as 1000", text)
	}
	load, err := readLoad(LoadConstant + " " + number + schedule.PerSecond)
	if err != nil {
		return 0, errors.New(strings.TrimPrefix(err.Error(), LoadConstant+" "))
	}
	return load.perSec, nil
}

func setLoad(a *Asked, load arrivals) { a.Load, a.OfferedPerSec = load.process, load.perSec }

// writeLoad is the load as a scenario has it: "poisson 500/s".
func writeLoad(a Asked) Node {
	if a.OfferedPerSec == 0 {
		return textNode(a.Load)
	}
	return Node{Text: a.Load + " " + strconv.FormatFloat(a.OfferedPerSec, 'f', -1, 64) + "/s"}
}
