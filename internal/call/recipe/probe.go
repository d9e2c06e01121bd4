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
)

// probePatience is how long a server may take to say the first word of HTTP/2.
const probePatience = 10 * time.Second

// answerPatience is how long a server may take to answer a request of HTTP/1.1 that changes nothing.
const answerPatience = time.Second

// A client's first words of HTTP/2: its preface and settings without any (RFC 9113, section 3.4).
const firstWords = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\x00\x00\x00\x04\x00\x00\x00\x00\x00"

// What a server says first: settings. Or what others say: an answer of HTTP/1, an alert of TLS.
const (
	frameHeaderBytes = 9
	frameSettings    = 4
	http1Words       = "HTTP/1"
	tlsAlert         = "\x15\x03"
)

// noCommonProtocol is how crypto/tls tells the alert no_application_protocol, for which it has no type: RFC 7301.
const noCommonProtocol = "no application protocol"

// A Speech is what a client and a server are to speak.
type Speech struct {
	alpn string // the protocol in TLS's handshake
	// What a sentence says behind "the server at …" of one that speaks another HTTP only, and what to give where it wants
	// TLS.
	other, secure string
}

// What is spoken: anything, of which only the connection is tried, or gRPC, HTTP/1.1 or HTTP/2.
var (
	Any   = Speech{}
	GRPC  = Speech{"h2", "speaks only HTTP/1, and gRPC needs HTTP/2; to load it over HTTP, give its URL", "--security tls"}
	HTTP1 = Speech{"http/1.1", "does not accept HTTP/1.1; if it needs HTTP/2, give --http2", "https://"}
	HTTP2 = Speech{"h2", "speaks only HTTP/1; omit --http2", "https://"}
)

// Probe connects to a server as a client of a speech does, and returns in one sentence why that can't be. server is what
// it calls the server; a nil config is plaintext. A server of HTTP/1.1 may take its time to answer: it is believed to speak
// it unless it says another first word.
func Probe(ctx context.Context, speech Speech, network, address, server string, config *tls.Config) error {
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return fmt.Errorf("cannot reach the server at %s: %w", server, cause(err))
	}
	socket := conn
	stop := context.AfterFunc(ctx, func() { socket.Close() })
	defer func() { stop(); socket.Close() }()
	if config != nil {
		if conn, err = shake(ctx, speech, conn, server, config); err != nil {
			return err
		}
	}
	switch {
	case speech == Any, speech == HTTP1 && config != nil: // which TLS has agreed on
		return nil
	case speech == HTTP1:
		return ask(conn, server, func() bool { return speaksTLS(ctx, network, address) })
	default:
		return listen(ctx, speech, conn, server, config != nil)
	}
}

// listen greets a server of HTTP/2, and says what is wrong with its answer.
func listen(ctx context.Context, speech Speech, conn net.Conn, server string, secure bool) error {
	heard, err := exchange(conn, firstWords)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("the server at %s sent nothing for %v", server, probePatience)
	case strings.HasPrefix(heard, http1Words):
		return fmt.Errorf("the server at %s %s", server, speech.other)
	case !secure && (strings.HasPrefix(heard, tlsAlert) || heard == "" && errors.Is(err, io.EOF)):
		return fmt.Errorf("the server at %s closes plaintext connections at once; if it needs TLS, give %s", server, speech.secure)
	case err != nil && heard == "":
		return fmt.Errorf("the server at %s closes connections at once: %w", server, cause(err))
	case len(heard) < frameHeaderBytes || heard[3] != frameSettings:
		return fmt.Errorf("the server at %s does not speak HTTP/2; its reply begins with %q", server, heard)
	default:
		return nil
	}
}

// ask makes a request that changes nothing (RFC 9110, section 9.3.7), and refuses a server that answers in another protocol.
func ask(conn net.Conn, server string, speaksTLS func() bool) error {
	_ = conn.SetDeadline(time.Now().Add(answerPatience)) // on a socket that is broken reading fails too
	heard, err := exchange(conn, "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	switch {
	case strings.HasPrefix(heard, tlsAlert), refuses(conn, heard, err) && speaksTLS():
		return fmt.Errorf("the server at %s speaks TLS; give %s", server, HTTP1.secure)
	case len(heard) == frameHeaderBytes && heard[3] == frameSettings:
		return fmt.Errorf("the server at %s speaks only HTTP/2; give --http2, or for gRPC host:port and --call", server)
	default:
		return nil
	}
}

// refuses tells whether a server ended the connection without an answer, or with 400, as servers of TLS answer plaintext.
func refuses(conn net.Conn, heard string, err error) bool {
	if !strings.HasPrefix(heard, http1Words) {
		return heard == "" && (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET))
	}
	status := make([]byte, len("400"))
	_, err = io.ReadFull(conn, status)
	return err == nil && string(status) == "400"
}

// speaksTLS tells whether a server answers a handshake of TLS, however it ends. Nothing else is sent.
func speaksTLS(ctx context.Context, network, address string) bool {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(answerPatience))
	err = tls.Client(conn, &tls.Config{InsecureSkipVerify: true}).HandshakeContext(ctx) //nolint:gosec // it is not spoken to
	var alert *net.OpError
	return err == nil || errors.As(err, &alert) && alert.Op == "remote error"
}

// shake ends TLS's handshake.
func shake(ctx context.Context, speech Speech, conn net.Conn, server string, config *tls.Config) (net.Conn, error) {
	own := config.Clone()
	own.NextProtos = []string{speech.alpn}
	secure := tls.Client(conn, own)
	err := secure.HandshakeContext(ctx)
	var record tls.RecordHeaderError
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
	case strings.Contains(err.Error(), noCommonProtocol):
		return nil, fmt.Errorf("the server at %s %s", server, speech.other)
	default:
		return nil, fmt.Errorf("the TLS handshake with the server at %s failed: %w", server, cause(err))
	}
}

// exchange says something and returns the beginning of the answer, as far as it comes.
func exchange(conn net.Conn, words string) (string, error) {
	if _, err := io.WriteString(conn, words); err != nil {
		return "", err
	}
	heard := make([]byte, frameHeaderBytes)
	n, err := io.ReadFull(conn, heard)
	return string(heard[:n]), err
}

// cause is what went wrong, without the addresses of the socket.
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
