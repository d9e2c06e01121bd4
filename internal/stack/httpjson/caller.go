package httpjson

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"rpcbench/internal/stack"
)

// A request is a message of one of the two services. It checks its answer, an A.
type request[A any] interface {
	prepare(message stack.Message) // has it say what a message of the call has
	reply(answer *A) stack.Reply
}

type unary[A any] struct {
	client  *http.Client
	url     string
	gzip    bool
	most    int // bytes of an answer
	request request[A]
	replies stack.Replies
}

// Call is stack.Caller's.
func (c *unary[A]) Call(ctx context.Context) error {
	c.replies.Begin()
	c.request.prepare(c.replies.Message(0))
	answer := new(A)
	if err := c.post(ctx, answer); err != nil {
		return stack.Failure(ctx, stack.CodeOf(err), err)
	}
	c.replies.Add(c.request.reply(answer))
	c.replies.End()
	return nil
}

// After is stack.Caller's.
func (c *unary[A]) After() error { return c.replies.Verify() }

// post sends the request and decodes the answer. Errors are *stack.Error.
func (c *unary[A]) post(ctx context.Context, answer *A) error {
	request, err := c.encode(ctx)
	if err != nil {
		return stack.Errorf(stack.Internal, "cannot encode the request: %w", err)
	}
	response, err := c.client.Do(request)
	if err != nil {
		return &stack.Error{Code: stack.LostNetCode(err), Err: err}
	}
	defer response.Body.Close()
	text, err := readBody(response.Body, response.Header.Get("Content-Encoding"), c.most)
	refused := response.StatusCode != http.StatusOK
	if err != nil && (!refused || stack.CodeOf(err) != stack.ResourceExhausted) { // of a refusal the beginning is enough
		return bodyError(err)
	}
	if refused {
		return stack.Errorf(stack.JSONCode(response.StatusCode), "HTTP status %s: %.200s", response.Status, text)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return stack.Errorf(stack.Internal, "the reply is not the expected JSON: %w", err)
	}
	return nil
}

// bodyError makes an *stack.Error of readBody's.
func bodyError(err error) error {
	if failed, ok := errors.AsType[*stack.Error](err); ok {
		return stack.Errorf(failed.Code, "the reply is too large: %w", failed.Err)
	}
	code := stack.Internal // not compressed as it says
	if stack.IsNetError(err) {
		code = stack.LostNetCode(err)
	}
	return &stack.Error{Code: code, Err: err}
}

func (c *unary[A]) encode(ctx context.Context) (*http.Request, error) {
	text, err := json.Marshal(c.request)
	if err == nil && c.gzip {
		text, err = compress(text)
	}
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if c.gzip {
		request.Header.Set("Content-Encoding", "gzip")
		request.Header.Set("Accept-Encoding", "gzip")
	}
	return request, nil
}
