package worker

import (
	"slices"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

// serve starts the server.
func (w *worker) serve(c *control.Serve) (*control.Serving, error) {
	if err := w.idle("serve"); err != nil {
		return nil, err
	}
	if c.GetProgram() != nil {
		return w.serveProgram(c)
	}
	s, err := w.find("serve", c.GetStack())
	if err != nil {
		return nil, err
	}
	if err := checkSide("serve", s.Info(), s.Info().Serves, c.GetNetwork(), c.GetSecurity(), c.GetPayload()); err != nil {
		return nil, err
	}
	if why := stack.RefuseOptions(c.GetStack(), "server", s.Info().ServerOptions(), c.GetOptions()); why != "" {
		return nil, control.Faultf("serve.options", "%s", why)
	}
	config, err := serverTLS(c.GetSecurity())
	if err != nil {
		return nil, err
	}
	authorize, err := authorizer(c)
	if err != nil {
		return nil, err
	}
	if err := checkLimits(c.GetLimits()); err != nil {
		return nil, err
	}
	if err := checkPorts(c); err != nil {
		return nil, err
	}
	records, err := newStore(s.Info(), c, host.MemoryLimit())
	if err != nil {
		return nil, err
	}
	listener, more, err := w.wire.listenPorts(c)
	if err != nil {
		return nil, control.Faultf("serve.address", "cannot listen on %s: %v", c.GetAddress(), plain.Cause(err))
	}
	w.server, err = s.Serve(stack.ServeConfig{
		Listener:  listener,
		TLS:       config,
		Authorize: authorize,
		Reply:     newReplyPayloads(c.GetPayload(), c.GetSeed()).of,
		Store:     records,
		Limits:    limitsOf(c.GetLimits()),
		Options:   c.GetOptions(),
	})
	if err != nil {
		_ = listener.Close()
		return nil, control.Faultf("serve", "%v", err)
	}
	return &control.Serving{Address: listener.Addr().String(), MoreAddresses: more}, nil
}

// checkSide checks what Serve and Connect have in common.
func checkSide(
	command string, info stack.Info, able bool, network string, security *control.Security, payload string,
) error {
	switch {
	case !able:
		return control.Faultf(command+".stack", "%s can't %s", info.Name, command)
	case !slices.Contains(info.Networks, network):
		return control.Faultf(command+".network", "%s has no %q", info.Name, network)
	case !slices.Contains(info.Securities, security.GetMode()):
		return control.Faultf(command+".security.mode", "%s has no %q", info.Name, security.GetMode())
	case !slices.Contains(stack.PayloadKinds(), payload):
		return control.Faultf(payloadField(command), "%q is not a payload kind", payload)
	}
	return nil
}

func payloadField(command string) string {
	if command == "connect" {
		return "connect.call.payload"
	}
	return command + ".payload"
}
