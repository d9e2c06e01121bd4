package request

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/call/secret"
)

// A URL is one of http or https, taken apart.
type URL struct {
	Scheme    string // "http" or "https"
	Authority string // host, or host:port, as it was written
	Address   string // host:port, to connect to

	path string // with the query, functions included
}

// Shown is the path as it was written, without the values in its query, which may be secrets.
func (u URL) Shown() string { return secret.Path(withoutValues(u.path)) }

// ParseURL parses a URL. Functions may follow the host only; it does not check them.
func ParseURL(raw string) (URL, error) {
	list, err := holes([]byte(raw), false)
	if err != nil {
		return URL{}, located(inName(raw), err)
	}
	parsed, err := url.Parse(strings.ReplaceAll(string(filled([]byte(raw), list)), " ", "0"))
	if err != nil {
		return URL{}, fmt.Errorf("%s is not a URL: %w", raw, errors.Unwrap(err))
	}
	scheme, rest, _ := strings.Cut(raw, "://")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	bare := raw
	for _, hole := range slices.Backward(list) {
		bare = bare[:hole.start] + bare[hole.end:]
	}
	switch {
	case parsed.Scheme != "http" && parsed.Scheme != "https", parsed.Hostname() == "":
		return URL{}, fmt.Errorf("%s is not a URL, such as http://localhost:8080/path", raw)
	case parsed.User != nil:
		return URL{}, errors.New("the URL contains a user name; use --basic-auth USER:PASSWORD")
	case strings.Contains(rest[:end], "{{"):
		return URL{}, fmt.Errorf("%s: functions are not supported in the host", raw)
	case strings.Contains(bare, "#"):
		return URL{}, fmt.Errorf("%s: the fragment after # is never sent; remove it", raw)
	case strings.ContainsFunc(bare, func(r rune) bool { return r <= ' ' || r > '~' }):
		return URL{}, fmt.Errorf("%s: spaces and non-ASCII characters must be escaped, such as %%20", raw)
	}
	address, err := addressOf(parsed)
	if err != nil {
		return URL{}, fmt.Errorf("%s: %w", raw, err)
	}
	path := rest[end:]
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return URL{Scheme: strings.ToLower(scheme), Authority: rest[:end], Address: address, path: path}, nil
}

// addressOf returns the address of a URL's server.
func addressOf(u *url.URL) (string, error) {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if number, err := strconv.ParseUint(port, 10, 16); err != nil || number == 0 {
		return "", fmt.Errorf("%q is not a port, a number from 1 to 65535", port)
	}
	return net.JoinHostPort(u.Hostname(), port), nil
}
