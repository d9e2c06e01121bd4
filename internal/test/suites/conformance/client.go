package conformance

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"rpcbench/internal/test/suites/wireconn"
)

// parallel is how many of the suite's cases are run at once. Many of them wait for a time to pass.
const parallel = 32

// runClient makes the calls that the runner asks for, until it asks no more.
func runClient(ctx context.Context, in io.Reader, out io.Writer) error {
	var running sync.WaitGroup
	defer running.Wait()
	var writing sync.Mutex
	places := make(chan struct{}, parallel)
	for {
		request := &clientRequest{}
		if err := readMessage(in, "ClientCompatRequest", request); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		places <- struct{}{}
		running.Go(func() {
			response := clientResponse{TestName: request.TestName}
			result, err := callOnce(ctx, request)
			if err != nil {
				response.Error = &reason{err.Error()}
			} else {
				response.Response = result
			}
			writing.Lock()
			defer writing.Unlock()
			if err := writeMessage(out, "ClientCompatResponse", response); err != nil {
				panic(err) // the runner notices a client that ends
			}
			<-places
		})
	}
}

// callOnce makes the call of one case on a connection of its own. Its error is that the call could not be made.
func callOnce(ctx context.Context, request *clientRequest) (*clientResult, error) {
	config, err := tlsOf(request)
	if err != nil {
		return nil, err
	}
	conn, err := wireconn.Dial(ctx, wireconn.Config{
		Address: net.JoinHostPort(request.Host, strconv.Itoa(int(request.Port))), TLS: config,
		Gzip: request.Compression == compressionGzip, MessageBytesMax: request.MessageReceiveLimit,
	})
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if request.TimeoutMs != nil {
		limited, cancel := context.WithTimeout(ctx, time.Duration(*request.TimeoutMs)*time.Millisecond)
		defer cancel()
		ctx = limited
	}
	ctx = metadata.NewOutgoingContext(ctx, toMetadata(request.RequestHeaders))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	desc := descOf(request.StreamType)
	stream, err := conn.NewStream(ctx, desc, "/"+request.Service+"/"+request.Method)
	if err != nil {
		return nil, err
	}
	c := &call{request: request, stream: stream, cancel: cancel, result: &clientResult{}}
	return c.run()
}

func tlsOf(request *clientRequest) (*tls.Config, error) {
	if len(request.ServerTLSCert) == 0 {
		return nil, nil
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(request.ServerTLSCert) {
		return nil, errors.New("the server's certificate is none")
	}
	config := &tls.Config{RootCAs: roots, ServerName: request.Host}
	if own := request.ClientTLSCreds; own != nil {
		pair, err := tls.X509KeyPair(own.Cert, own.Key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// Numbers of the suite's enumerations.
const (
	compressionGzip = 2

	clientStream = 2
	serverStream = 3
	halfDuplex   = 4
	fullDuplex   = 5
)

func descOf(streamType int) *grpc.StreamDesc {
	duplex := streamType == halfDuplex || streamType == fullDuplex
	return &grpc.StreamDesc{ClientStreams: duplex || streamType == clientStream, ServerStreams: duplex || streamType == serverStream}
}

// A call is one that runs.
type call struct {
	request *clientRequest
	stream  grpc.ClientStream
	cancel  func()
	result  *clientResult
	ended   bool  // err is how
	err     error // nil is OK
}

func (c *call) run() (*clientResult, error) {
	if err := c.send(); err != nil {
		return nil, err
	}
	when := c.request.Cancel
	if when.BeforeCloseSend != nil {
		c.cancel()
	}
	if err := c.stream.CloseSend(); err != nil {
		return nil, err
	}
	if when.AfterCloseSendMs != nil {
		time.Sleep(time.Duration(*when.AfterCloseSendMs) * time.Millisecond)
		c.cancel()
	}
	for !c.ended {
		if err := c.receive(); err != nil {
			return nil, err
		}
	}
	var err error
	if c.result.Error, err = failureOf(c.err); err != nil {
		return nil, err
	}
	md, err := c.stream.Header()
	if err != nil {
		return nil, err
	}
	c.result.ResponseHeaders, c.result.ResponseTrailers = fromMetadata(md), fromMetadata(c.stream.Trailer())
	return c.result, nil
}

// send sends all messages, of a full-duplex stream each after the reply to the one before.
func (c *call) send() error {
	for i, text := range c.request.RequestMessages {
		time.Sleep(time.Duration(c.request.RequestDelayMs) * time.Millisecond)
		message, err := unpack(text)
		if err != nil {
			return err
		}
		switch err = c.stream.SendMsg(message); {
		case errors.Is(err, io.EOF):
			c.result.NumUnsentRequests = len(c.request.RequestMessages) - i
			return nil
		case err != nil:
			return err
		}
		if c.request.StreamType != fullDuplex {
			continue
		}
		if err := c.receive(); err != nil {
			return err
		}
		if c.ended {
			c.result.NumUnsentRequests = len(c.request.RequestMessages) - i - 1
			return nil
		}
	}
	return nil
}

// receive takes one reply, or the end of the call.
func (c *call) receive() error {
	reply := newMessage(c.request.Method + "Response")
	if err := c.stream.RecvMsg(reply); err != nil {
		c.ended = true
		if !errors.Is(err, io.EOF) {
			c.err = err
		}
		return nil
	}
	got := struct {
		Payload json.RawMessage `json:"payload"`
	}{json.RawMessage("{}")}
	if err := toGo(reply, &got); err != nil {
		return fmt.Errorf("a reply: %w", err)
	}
	c.result.Payloads = append(c.result.Payloads, got.Payload)
	if len(c.result.Payloads) == c.request.Cancel.AfterNumResponses {
		c.cancel()
	}
	c.ended = !descOf(c.request.StreamType).ServerStreams
	return nil
}
