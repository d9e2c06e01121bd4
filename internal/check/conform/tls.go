package conform

import (
	"errors"
	"fmt"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// secured makes the counted calls over TLS, and then has the same server meet strangers: neither side may go on with one.
func (r *rig) secured(s setup) (string, error) {
	client, server, err := r.served(&s)
	if err != nil {
		return "", err
	}
	detail, err := r.countedBetween(client, server, s)
	if err != nil {
		return "", err
	}
	if err := r.refused(s, func(c *control.Security) { c.CaPem = r.keys.strange.CAPEM }); err != nil {
		return "", fmt.Errorf("a client that does not trust the server: %w", err)
	}
	if s.security == stack.SecurityMTLS {
		strange := func(c *control.Security) { setPair(c, r.keys.strange.Client) }
		if err := r.refused(s, strange); err != nil {
			return "", fmt.Errorf("a client that the server does not trust: %w", err)
		}
	}
	return detail, nil
}

func setPair(c *control.Security, own credential.Pair) { c.CertPem, c.KeyPem = own.CertPEM, own.KeyPEM }

// refused checks that a client and the server at s.address make no call if one of them does not trust the other: Connect fails,
// or every call does.
func (r *rig) refused(s setup, change func(*control.Security)) error {
	client, err := r.start(r.pair.client.command)
	if err != nil {
		return fmt.Errorf("client: %w", err)
	}
	command := r.connectCommand(s)
	change(command.GetSecurity())
	if _, err := client.Connect(r.ctx, command); err != nil {
		if _, ok := asFault(err); ok {
			return nil
		}
		return err
	}
	done, err := r.phase(client, closedCalls(3))
	if err != nil {
		return err
	}
	if outcomes(done)["OK"] > 0 {
		return errors.New("its calls succeeded")
	}
	return nil
}
