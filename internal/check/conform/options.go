package conform

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// optionCases are about the values that a stack's options declare, on the sides that have such options.
func optionCases(client, server pair) []Case {
	var cases []Case
	if p := client.client; p.tested && len(declared(infoOf(p).ClientOptions())) > 0 {
		cases = append(cases, of(client, at(StepExtras, Case{Name: "options of a client", run: clientOptions}))...)
	}
	if p := server.server; p.tested && len(declared(infoOf(p).ServerOptions())) > 0 {
		cases = append(cases, of(server, at(StepExtras, Case{Name: "options of a server", run: serverOptions}))...)
	}
	return cases
}

// infoOf has what a side says about its options.
func infoOf(s side) stack.Info { return stack.Info{Options: control.Options(s.info.GetOptions())} }

// declared are the options that don't take any text.
func declared(options []stack.Option) []stack.Option {
	return slices.DeleteFunc(options, stack.Option.TakesText)
}

// clientOptions holds a client's options to what they declare.
func clientOptions(r *rig) (string, error) {
	server, err := r.start(r.pair.server.command)
	if err != nil {
		return "", fmt.Errorf("server: %w", err)
	}
	s := unary(shape{1, 1})
	if err := r.serve(server, &s); err != nil {
		return "", err
	}
	options := infoOf(r.pair.client).ClientOptions()
	return r.holdOptions("connect", r.pair.client, options, func(p *party, given map[string]string) error {
		command := r.connectCommand(s)
		command.Options = given
		_, err := p.Connect(r.ctx, command)
		return err
	})
}

// serverOptions holds a server's options to what they declare.
func serverOptions(r *rig) (string, error) {
	options := infoOf(r.pair.server).ServerOptions()
	return r.holdOptions("serve", r.pair.server, options, func(p *party, given map[string]string) error {
		command, err := r.serveCommand(unary(shape{1, 1}))
		if err != nil {
			return err
		}
		command.Options = given
		_, err = p.Serve(r.ctx, command)
		return err
	})
}

// holdOptions gives a side's options values that they don't take, each of which must be refused, and then those that they do.
func (r *rig) holdOptions(
	command string, s side, options []stack.Option, send func(*party, map[string]string) error,
) (string, error) {
	options = declared(options)
	fresh := func(given map[string]string) error {
		p, err := r.start(s.command)
		if err != nil {
			return err
		}
		defer p.close()
		if err := send(p, given); err != nil {
			return p.explain(err)
		}
		return nil
	}
	refusing, err := r.start(s.command)
	if err != nil {
		return "", err
	}
	refused, taken := 0, 0
	for _, o := range options {
		for _, value := range wrongValues(o) {
			if err := wantRefusal(send(refusing, map[string]string{o.Name: value}), command, o.Name, value); err != nil {
				return "", err
			}
			refused++
		}
	}
	for _, round := range rounds(options) {
		if len(round) > 1 && fresh(round) == nil {
			taken += len(round)
			continue
		}
		for name, value := range round { // some exclude each other
			if err := fresh(map[string]string{name: value}); isRefusal(err, command, name) {
				return "", fmt.Errorf("%s.options: %s=%s, which is declared: %w", command, name, value, err)
			}
			taken++
		}
	}
	return fmt.Sprintf("%d options, %d values taken, %d refused", len(options), taken, refused), nil
}

// isRefusal reports whether a command failed because of an option. A value may be right and yet not for this call, as HTTP/2 is
// only for servers that speak it: then the error is about something else.
func isRefusal(err error, command, name string) bool {
	fault, ok := asFault(err)
	return err != nil && (!ok || fault.Field == command+".options" || strings.Contains(fault.Message, name))
}

// wantRefusal checks that an option's value was refused in a sentence about the option.
func wantRefusal(err error, command, name, value string) error {
	fault, ok := asFault(err)
	what := fmt.Sprintf("%s.options: %s=%s, which is not declared", command, name, value)
	switch {
	case err == nil:
		return fmt.Errorf("%s: it was obeyed, not answered with a Fault", what)
	case !ok:
		return fmt.Errorf("%s: %w", what, err)
	case !strings.HasPrefix(fault.Field, command) || !strings.Contains(fault.Message, name):
		return fmt.Errorf("%s: the Fault does not name the option: %q (%s)", what, fault.Field, fault.Message)
	default:
		return nil
	}
}

// wrongValues are near those that an option takes, which none of them is.
func wrongValues(o stack.Option) []string {
	values := []string{noWord, ""}
	for _, word := range o.Words {
		values = append(values, strings.ToUpper(word), word+" ")
	}
	if o.Numbers != (stack.Range{}) {
		most := strconv.FormatInt(o.Numbers.Max, 10)
		values = append(values, "1.5", "1e3", "+"+most, "0"+most)
		if o.Numbers.Min > math.MinInt64 {
			values = append(values, strconv.FormatInt(o.Numbers.Min-1, 10))
		}
		if o.Numbers.Max < math.MaxInt64 {
			values = append(values, strconv.FormatInt(o.Numbers.Max+1, 10))
		}
	}
	return slices.DeleteFunc(values, o.Takes)
}

// rounds deal out the values that options take, every word, the least number and the default, so that a worker is started for
// many at once. The greatest number of threads or bytes may be more than a busy machine has.
func rounds(options []stack.Option) []map[string]string {
	var dealt []map[string]string
	for _, o := range options {
		values := slices.Clone(o.Words)
		if o.Numbers != (stack.Range{}) {
			values = append(values, strconv.FormatInt(o.Numbers.Min, 10), o.Default)
		}
		values = slices.DeleteFunc(values, func(value string) bool { return value == "" })
		for i, value := range values {
			if i == len(dealt) {
				dealt = append(dealt, map[string]string{})
			}
			dealt[i][o.Name] = value
		}
	}
	return dealt
}
