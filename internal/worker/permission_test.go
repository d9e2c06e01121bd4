package worker_test

import (
	"errors"
	"path/filepath"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// mtls is a server's or client's security.
func mtls(set credential.Set, own credential.Pair) *control.Security {
	return &control.Security{
		Mode: stack.SecurityMTLS, CaPem: set.CAPEM, CertPem: own.CertPEM, KeyPem: own.KeyPEM, ServerName: credential.ServerName,
	}
}

func serveCommand(name string, security *control.Security, permissions *control.Permissions) *control.Serve {
	return &control.Serve{
		Stack: name, Network: stack.NetworkTCP, Address: "127.0.0.1:0", Security: security, Payload: stack.PayloadRandom,
		Permissions: permissions,
	}
}

func folder(t *testing.T) (string, credential.Set) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "keys")
	if err := credential.Create(dir); err != nil {
		t.Fatal(err)
	}
	set, err := credential.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, set
}

func TestADeniedClientHasNoGoodCall(t *testing.T) {
	t.Parallel()
	dir, keys := folder(t)
	if _, err := credential.AddClient(dir, "root:alice"); err != nil {
		t.Fatal(err)
	}
	alice, err := credential.OpenClient(dir, "root:alice")
	if err != nil {
		t.Fatal(err)
	}
	own := &control.Permissions{In: []string{"rpcbench"}}
	for _, c := range []struct {
		what        string
		permissions *control.Permissions
		client      credential.Set
		want        string
	}{
		{"absent", nil, alice, "OK"},
		{"its own client", own, keys, "OK"},
		{"another client", own, alice, "PERMISSION_DENIED"},
		{"alice by name", &control.Permissions{In: []string{"root"}}, alice, "OK"},
		{"alice shut out", &control.Permissions{In: []string{"root"}, NotIn: []string{"root:alice:$"}}, alice, "PERMISSION_DENIED"},
		{"nobody", &control.Permissions{}, alice, "PERMISSION_DENIED"},
	} {
		for _, name := range []string{"tcp", "grpc-go"} {
			t.Run(c.what+"/"+name, func(t *testing.T) {
				t.Parallel()
				serving, err := open(t).Serve(t.Context(), serveCommand(name, mtls(keys, keys.Server), c.permissions))
				if err != nil {
					t.Fatal(err)
				}
				connect := unary(name, serving.GetAddress())
				connect.Security = mtls(c.client, c.client.Client)
				client := open(t)
				if _, err := client.Connect(t.Context(), connect); err != nil {
					t.Fatalf("the connection is not let in: %v", err)
				}
				done, err := client.Begin(t.Context(), closed(30), ignore)
				if err != nil {
					t.Fatal(err)
				}
				o := done.GetOutcomes()
				if len(o) != 1 || o[0].GetCode() != c.want || o[0].GetCalls() != 30 {
					t.Errorf("outcomes %v, want 30 %s", o, c.want)
				}
			})
		}
	}
}

func TestPermissionsThatCannotBeHonouredAreNamed(t *testing.T) {
	t.Parallel()
	_, keys := folder(t)
	withTLS := mtls(keys, keys.Server)
	withTLS.Mode = stack.SecurityTLS
	everybody := &control.Permissions{In: []string{"..."}}
	for _, c := range []struct {
		security    *control.Security
		permissions *control.Permissions
		want        string
	}{
		{plaintext, everybody, "with security plaintext clients have no names: authorization needs mtls"},
		{withTLS, everybody, "with security tls clients have no names: authorization needs mtls"},
		{withTLS, &control.Permissions{}, "with security tls clients have no names: authorization needs mtls"},
		{mtls(keys, keys.Server), &control.Permissions{In: []string{"root", "root::alice"}},
			`"root::alice" is not a pattern: "root::alice" is not a name, such as root:alice`},
		{mtls(keys, keys.Server), &control.Permissions{NotIn: []string{""}},
			`"" is not a pattern: "" is not a name, such as root:alice`},
	} {
		_, err := open(t).Serve(t.Context(), serveCommand("tcp", c.security, c.permissions))
		wantFault(t, err, "serve.permissions")
		if fault, ok := errors.AsType[*control.FaultError](err); ok && fault.Message != c.want {
			t.Errorf("got %q, want %q", fault.Message, c.want)
		}
	}
}
