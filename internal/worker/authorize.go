package worker

import (
	"crypto/tls"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
	"rpcbench/internal/worker/permission"
)

// authorizer makes the server's stack.ServeConfig.Authorize; nil lets everybody call.
func authorizer(c *control.Serve) (func(tls.ConnectionState) error, error) {
	if c.GetPermissions() == nil {
		return nil, nil
	}
	if mode := c.GetSecurity().GetMode(); mode != stack.SecurityMTLS {
		return nil, control.Faultf("serve.permissions", "with security %s clients have no names: authorization "+
			"needs mtls", mode)
	}
	list := permission.List{In: c.GetPermissions().GetIn(), NotIn: c.GetPermissions().GetNotIn()}
	if err := list.Check(); err != nil {
		return nil, control.Faultf("serve.permissions", "%v", err)
	}
	return guard(list), nil
}

// guard lets those call whom list allows. It allocates nothing for them.
func guard(list permission.List) func(tls.ConnectionState) error {
	return func(state tls.ConnectionState) error {
		if len(state.PeerCertificates) == 0 {
			return stack.Errorf(stack.PermissionDenied, "the client has no certificate")
		}
		name, ok := credential.NameOf(state.PeerCertificates[0])
		if !ok {
			return stack.Errorf(stack.PermissionDenied, "the client's certificate has no rpcbench name")
		}
		if !list.Allows(name) {
			return stack.Errorf(stack.PermissionDenied, "%s may not call this server", name)
		}
		return nil
	}
}
