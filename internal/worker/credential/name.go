package credential

import (
	"crypto/x509"
	"net/url"
)

// scheme is the scheme of URIs that hold names.
const scheme = "rpcbench"

// NameOf returns the name of the certificate's holder. It returns false for a certificate without a name or with several. It
// allocates nothing unless the name had to be percent-encoded.
func NameOf(certificate *x509.Certificate) (name string, ok bool) {
	for _, uri := range certificate.URIs {
		if uri.Scheme != scheme {
			continue
		}
		if ok || uri.Opaque == "" || uri.RawQuery != "" || uri.ForceQuery || uri.Fragment != "" {
			return "", false
		}
		decoded, err := url.PathUnescape(uri.Opaque)
		if err != nil {
			return "", false
		}
		name, ok = decoded, true
	}
	return name, ok
}

// uriOf returns the URI that holds a name. It keeps colons.
func uriOf(name string) *url.URL {
	return &url.URL{Scheme: scheme, Opaque: url.PathEscape(name)}
}
