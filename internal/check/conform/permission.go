package conform

import (
	"fmt"
	"slices"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// deniedCalls is the number of calls of each client that a server has to judge.
const deniedCalls = 6

// permissions has servers let the same client in and not: it may connect, and who is not let in has every call denied,
// streams too.
func permissions(p pair) func(r *rig) (string, error) {
	kinds := []string{stack.KindUnary}
	if slices.Contains(p.kinds, stack.KindStream) {
		kinds = append(kinds, stack.KindStream)
	}
	return func(r *rig) (string, error) {
		name, err := r.keys.own.Client.Name()
		if err != nil {
			return "", err
		}
		parent, err := r.keys.own.Server.Name() // the client's name extends it
		if err != nil {
			return "", err
		}
		for i, c := range []struct {
			code        string
			permissions *control.Permissions
		}{
			{stack.OK.String(), &control.Permissions{In: []string{parent}}},
			{stack.PermissionDenied.String(), &control.Permissions{In: []string{parent + ":$"}}},
			{stack.PermissionDenied.String(), &control.Permissions{In: []string{"..."}, NotIn: []string{name}}},
		} {
			if err := r.permitted(kinds[i%len(kinds)], c.permissions, c.code); err != nil {
				return "", fmt.Errorf("%s, in %q, not in %q: %w", name, c.permissions.GetIn(), c.permissions.GetNotIn(), err)
			}
		}
		return name + " let in, and denied twice", nil
	}
}

// permitted makes calls to a server with permissions and expects all of them to end with a code.
func (r *rig) permitted(kind string, permissions *control.Permissions, code string) error {
	s := ofKind(kind)
	s.security = stack.SecurityMTLS
	return r.judged(s, func(c *control.Serve) { c.Permissions = permissions }, code)
}

// judged makes calls to a server whose command tell has completed, and expects all of them to end with a code.
func (r *rig) judged(s setup, tell func(*control.Serve), code string) error {
	client, server, err := r.startPair()
	if err != nil {
		return err
	}
	serve, err := r.serveCommand(s)
	if err != nil {
		return err
	}
	tell(serve)
	serving, err := server.Serve(r.ctx, serve)
	if err != nil {
		return server.explain(err)
	}
	s.address = serving.GetAddress()
	if _, err := r.connect(client, s); err != nil {
		return err
	}
	done, err := r.phase(client, closedCalls(deniedCalls))
	if err != nil {
		return err
	}
	return wantOutcome(done, code, deniedCalls)
}
