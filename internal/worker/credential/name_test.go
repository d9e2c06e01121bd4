package credential

import (
	"crypto/x509"
	"net/url"
	"testing"
)

func withURIs(t *testing.T, texts ...string) *x509.Certificate {
	t.Helper()
	certificate := &x509.Certificate{}
	for _, text := range texts {
		uri, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		certificate.URIs = append(certificate.URIs, uri)
	}
	return certificate
}

func TestACertificateHasOneNameOrNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		uris []string
		want string // "" is none
	}{
		{[]string{"rpcbench:root:alice"}, "root:alice"},
		{[]string{"https://example.org/", "rpcbench:root:alice"}, "root:alice"},
		{[]string{"rpcbench:r%C3%BCck"}, "rück"},
		{nil, ""},
		{[]string{"https://example.org/root:alice"}, ""},
		{[]string{"rpcbenches:root:alice"}, ""},
		{[]string{"rpcbench:root:alice", "rpcbench:root:bob"}, ""},
		{[]string{"rpcbench://root/alice"}, ""},
		{[]string{"rpcbench:root?alice"}, ""},
		{[]string{"rpcbench:root?"}, ""},
		{[]string{"rpcbench:root#alice"}, ""},
		{[]string{"rpcbench:root%zz"}, ""},
	} {
		name, ok := NameOf(withURIs(t, c.uris...))
		if name != c.want || ok != (c.want != "") {
			t.Errorf("%q has the name %q, %v; want %q", c.uris, name, ok, c.want)
		}
	}
}

func TestReadingANameAllocatesNothing(t *testing.T) {
	certificate := withURIs(t, "rpcbench:root:alice")
	if got := testing.AllocsPerRun(100, func() { NameOf(certificate) }); got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}

// Every issued name can be read back.
func FuzzAnIssuedNameIsRead(f *testing.F) {
	for _, name := range []string{"root:alice", "a%3Ab", "ü?#", "$", "a+b", "\x00"} {
		f.Add(name)
	}
	ca, err := newAuthority(validForRun)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if name == "" {
			t.Skip("an empty name is refused before")
		}
		pair, err := ca.issue(name, x509.ExtKeyUsageClientAuth, validForRun)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := pair.Name(); got != name || err != nil {
			t.Errorf("%q is read as %q, %v", name, got, err)
		}
	})
}
