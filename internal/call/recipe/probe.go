package recipe

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/websocket"
)

// probePatience limits the wait for the first bytes of an HTTP/2 server. Only tests change it.
var probePatience = 10 * time.Second

// answerPatience limits the wait for the answer to an HTTP/1.1 request that changes nothing.
const answerPatience = time.Second

// againPatience limits the wait for the answer on a further connection to a server that has refused the first. Only tests change
// it.
var againPatience = time.Second

// harmless is a request that changes nothing (RFC 9110, section 9.3.7).
const harmless = "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

// A client's first words of HTTP/2: its preface and settings without any (RFC 9113, section 3.4).
const firstWords = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\x00\x00\x00\x04\x00\x00\x00\x00\x00"

// The first bytes of an HTTP/2 server, which are settings, or of other servers: an HTTP/1 response or a TLS alert.
const (
	frameHeaderBytes = 9
	frameSettings    = 4
	http1Words       = "HTTP/1"
	tlsAlert         = "\x15\x03"
)

// noCommonProtocol is how crypto/tls describes the alert no_application_protocol (RFC 7301), for which it has no type.
const noCommonProtocol = "no application protocol"

// A Speech is the protocol that client and server are expected to speak.
type Speech struct {
	alpn string // the protocol in TLS's handshake
	// The continuation of "the server at …" for a server that speaks only the other HTTP version, and the flag to use if it
	// requires TLS.
	other, secure string
}

// The protocols that can be probed: any, for which only the connection is tried, gRPC, HTTP/1.1 and HTTP/2.
var (
	Any   = Speech{}
	GRPC  = Speech{"h2", "speaks only HTTP/1, and gRPC needs HTTP/2; to load it over HTTP, give its URL", "--security tls"}
	HTTP1 = Speech{"http/1.1", "does not accept HTTP/1.1; if it needs HTTP/2, give --http2", "https://"}
	HTTP2 = Speech{"h2", "speaks only HTTP/1; omit --http2", "https://"}
)

// Probe connects to a server as a client of the given protocol does. The error is one sentence that says why this fails, and
// calls the server by the given name. A nil config means plaintext. An HTTP/1.1 server may be slow to answer, so it is assumed
// to speak HTTP/1.1 unless its first bytes show otherwise.
func Probe(ctx context.Context, speech Speech, network, address, server string, config *tls.Config) (Peer, error) {
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	conn, err := websocket.Dial(ctx, network, address)
	if err != nil {
		if network == stack.NetworkUnix && !strings.HasSuffix(server, address) { // a URL
			server += " over unix:" + address
		}
		return Peer{}, fmt.Errorf("cannot reach the server at %s: %w", server, cause(err))
	}
	socket := conn
	stop := context.AfterFunc(ctx, func() { socket.Close() })
	defer func() { stop(); socket.Close() }()
	if config != nil {
		if conn, err = shake(ctx, speech, conn, server, config); err != nil {
			return Peer{}, err
		}
	}
	anew := func() (net.Conn, error) { return websocket.Dial(ctx, network, address) }
	switch {
	case speech == Any, speech == HTTP1 && config != nil: // which TLS has agreed on
		return Peer{}, nil
	case speech == HTTP1:
		return Peer{}, ask(ctx, conn, server, anew)
	default:
		header, err := listen(ctx, speech, conn, server, config != nil, anew)
		if err != nil {
			return Peer{}, err
		}
		return greet(header, conn, server)
	}
}

// listen sends the HTTP/2 preface and returns the header of the server's SETTINGS. anew opens another connection to the server.
func listen(
	ctx context.Context, speech Speech, conn net.Conn, server string, secure bool, anew func() (net.Conn, error),
) (header string, err error) {
	heard, err := exchange(conn, firstWords)
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("the server at %s sent nothing for %v", server, probePatience)
	case isSettings(heard):
		return heard, nil
	case !secure && wantsTLS(ctx, conn, heard, err, anew):
		return "", fmt.Errorf("the server at %s speaks TLS; give %s", server, speech.secure)
	case !secure && heard == "" && errors.Is(err, io.EOF):
		return "", fmt.Errorf("the server at %s closes plaintext connections at once; if it needs TLS, give %s", server, speech.secure)
	case heard == "":
		return "", fmt.Errorf("the server at %s closes connections at once: %w", server, cause(err))
	case strings.HasPrefix(heard, http1Words), !secure && speaksHTTP1(anew):
		return "", fmt.Errorf("the server at %s %s", server, speech.other)
	default:
		return "", fmt.Errorf("the server at %s does not speak HTTP/2; its reply begins with %q", server, heard)
	}
}

// isSettings reports whether an answer begins with the header of a SETTINGS frame, as those of HTTP/2 servers do.
func isSettings(heard string) bool {
	return len(heard) == frameHeaderBytes && heard[3] == frameSettings
}

// wantsTLS reports whether a server refused plaintext and answers a TLS handshake.
func wantsTLS(ctx context.Context, conn net.Conn, heard string, err error, anew func() (net.Conn, error)) bool {
	return strings.HasPrefix(heard, tlsAlert) || refuses(conn, heard, err) && speaksTLS(ctx, anew)
}

// ask makes a harmless request, and refuses a server that answers in another protocol.
func ask(ctx context.Context, conn net.Conn, server string, anew func() (net.Conn, error)) error {
	_ = conn.SetDeadline(time.Now().Add(answerPatience)) // on a socket that is broken reading fails too
	heard, err := exchange(conn, harmless)
	switch {
	case wantsTLS(ctx, conn, heard, err, anew):
		return fmt.Errorf("the server at %s speaks TLS; give %s", server, HTTP1.secure)
	case isSettings(heard):
		return fmt.Errorf("the server at %s speaks only HTTP/2; give --http2, or for gRPC host:port and --call", server)
	default:
		return nil
	}
}

// refuses reports whether a server closed the connection without an answer or answered with 400, as TLS servers do for plaintext.
func refuses(conn net.Conn, heard string, err error) bool {
	if !strings.HasPrefix(heard, http1Words) {
		return heard == "" && (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET))
	}
	status := make([]byte, len("400"))
	_, err = io.ReadFull(conn, status)
	return err == nil && string(status) == "400"
}

// speaksTLS reports whether a server answers a TLS handshake, whatever its outcome. Nothing else is sent.
func speaksTLS(ctx context.Context, anew func() (net.Conn, error)) bool {
	conn, err := anew()
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(againPatience))
	err = tls.Client(conn, &tls.Config{InsecureSkipVerify: true}).HandshakeContext(ctx) //nolint:gosec // it is not spoken to
	var alert *net.OpError
	return err == nil || errors.As(err, &alert) && alert.Op == "remote error"
}

// speaksHTTP1 reports whether a server answers HTTP/1.1. Servers of Python's standard library and of Flask answer an HTTP/2
// preface without a version.
func speaksHTTP1(anew func() (net.Conn, error)) bool {
	conn, err := anew()
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(againPatience))
	heard, _ := exchange(conn, harmless)
	return strings.HasPrefix(heard, http1Words)
}

// shake ends TLS's handshake.
func shake(ctx context.Context, speech Speech, conn net.Conn, server string, config *tls.Config) (net.Conn, error) {
	own := config.Clone()
	own.NextProtos = []string{speech.alpn}
	secure := tls.Client(conn, own)
	err := secure.HandshakeContext(ctx)
	var record tls.RecordHeaderError
	var misnamed x509.HostnameError
	switch {
	case err == nil:
		return secure, nil
	case errors.As(err, &record):
		return nil, fmt.Errorf("the server at %s does not speak TLS: its first record does not look like a TLS handshake", server)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the server at %s did not complete the TLS handshake within %v", server, probePatience)
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return nil, fmt.Errorf("the certificate of the server at %s is signed by an unknown authority; give its certificate by "+
			"--cacert, or --insecure-skip-verify", server)
	case errors.As(err, &misnamed):
		return nil, fmt.Errorf("the certificate of the server at %s is %s", server, otherNames(misnamed))
	case strings.Contains(err.Error(), noCommonProtocol):
		return nil, fmt.Errorf("the server at %s %s", server, speech.other)
	default:
		return nil, fmt.Errorf("the TLS handshake with the server at %s failed: %w", server, cause(err))
	}
}

// maxNames is how many names of a certificate an error has.
const maxNames = 5

// otherNames is "for shop.example, shop, not for 127.0.0.1; give one of these by --server-name".
func otherNames(err x509.HostnameError) string {
	var names []string
	for _, name := range err.Certificate.DNSNames {
		names = append(names, plain.Short(name, plain.Example))
	}
	for _, address := range err.Certificate.IPAddresses {
		names = append(names, address.String())
	}
	if len(names) > maxNames {
		names = append(names[:maxNames], "…")
	}
	which := "one of these"
	switch len(names) {
	case 0:
		return "for no name that can be verified; give --insecure-skip-verify"
	case 1:
		which = "this name"
	}
	return fmt.Sprintf("for %s, not for %s; give %s by --server-name", strings.Join(names, ", "), err.Host, which)
}

// exchange sends a text and returns the beginning of the answer, as much as arrives.
func exchange(conn net.Conn, words string) (string, error) {
	if _, err := io.WriteString(conn, words); err != nil {
		return "", err
	}
	heard := make([]byte, frameHeaderBytes)
	n, err := io.ReadFull(conn, heard)
	return string(heard[:n]), err
}

// cause returns the reason for a failure, without the addresses of the socket.
func cause(err error) error {
	for _, plain := range []error{
		syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, os.ErrNotExist, context.DeadlineExceeded,
	} {
		if errors.Is(err, plain) {
			return plain
		}
	}
	if errors.Is(err, io.EOF) {
		return errors.New("it closed the connection")
	}
	return err
}
