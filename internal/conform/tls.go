package conform

import (
	"errors"
	"fmt"

	"rpcbench/internal/control"
	"rpcbench/internal/credential"
	"rpcbench/internal/stack"
)

// secured makes the counted calls over TLS, and then meets a stranger: neither side may go on with one.
func secured(s setup) func(r *rig) (string, error) {
	return func(r *rig) (string, error) {
		detail, err := r.counted(s)
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
}

func setPair(c *control.Security, own credential.Pair) { c.CertPem, c.KeyPem = own.CertPEM, own.KeyPEM }

// refused checks that no call is made where one side does not trust the other: Connect fails, or every call does.
func (r *rig) refused(s setup, change func(*control.Security)) error {
	client, _, err := r.served(&s)
	if err != nil {
		return err
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
