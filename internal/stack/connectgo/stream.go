package connectgo

import (
	"context"
	"errors"
	"io"

	"connectrpc.com/connect"
)

// The library's streams in the form that package service needs. A client's stream that fails keeps its memory until its context
// ends, so each has a context that can be canceled.

type uploading[Q, A any] struct {
	*connect.ClientStreamForClient[Q, A]

	cancel context.CancelFunc
}

// Send is service.Sender's.
func (u uploading[Q, A]) Send(message *Q) error {
	err := u.ClientStreamForClient.Send(message)
	if err != nil && !errors.Is(err, io.EOF) {
		u.cancel()
	}
	return err
}

// CloseAndRecv is service.Uploading's.
func (u uploading[Q, A]) CloseAndRecv() (*A, error) {
	defer u.cancel()
	answer, err := u.CloseAndReceive()
	if err != nil {
		return nil, err
	}
	return answer.Msg, nil
}

type streaming[Q, A any] struct {
	*connect.BidiStreamForClient[Q, A]

	life   context.Context
	cancel context.CancelFunc
}

// Send is service.Sender's. Where Recv has ended the stream, it is Recv that knows why.
func (s streaming[Q, A]) Send(message *Q) error {
	err := s.BidiStreamForClient.Send(message)
	if err != nil && s.life.Err() != nil {
		return io.EOF
	}
	return err
}

// Recv is service.Receiver's.
func (s streaming[Q, A]) Recv() (*A, error) {
	answer, err := s.Receive()
	if err != nil && !errors.Is(err, io.EOF) {
		s.cancel() // ends the sender
	}
	return answer, err
}

// CloseSend is service.Streaming's.
func (s streaming[Q, A]) CloseSend() error { return s.CloseRequest() }

// Close frees the stream once both sides have ended.
func (s streaming[Q, A]) Close() error {
	defer s.cancel()
	return s.CloseResponse()
}

type downloading[A any] struct {
	*connect.ServerStreamForClient[A]
}

// Recv is service.Receiver's.
func (d downloading[A]) Recv() (*A, error) { return next(d) }

// A server's streams.
type (
	served[Q, A any] struct{ *connect.BidiStream[Q, A] }
	uploaded[Q any]  struct{ *connect.ClientStream[Q] }
)

// Recv is service.Receiver's.
func (s served[Q, A]) Recv() (*Q, error) { return s.Receive() }

// Recv is service.Receiver's.
func (u uploaded[Q]) Recv() (*Q, error) { return next(u) }

// next returns the next message of a stream that the library has as an iterator.
func next[M any](stream interface {
	Receive() bool
	Msg() *M
	Err() error
},
) (*M, error) {
	if stream.Receive() {
		return stream.Msg(), nil
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	return nil, io.EOF
}
