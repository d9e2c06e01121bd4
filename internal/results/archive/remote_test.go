package archive

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A transport answers requests without a network.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func remoteOver(answer transport) *Remote {
	return &Remote{Base: &url.URL{Scheme: "http", Host: "localhost"}, Client: &http.Client{Transport: answer}}
}

// A body gives its text in pieces, each after a pause; the context ends it.
type body struct {
	ctx    context.Context //nolint:containedctx // that of the request
	pieces []string
	pause  time.Duration
}

func (b *body) Read(to []byte) (int, error) {
	if len(b.pieces) == 0 {
		return 0, io.EOF
	}
	select {
	case <-b.ctx.Done():
		return 0, b.ctx.Err()
	case <-time.After(b.pause):
	}
	n := copy(to, b.pieces[0])
	b.pieces = b.pieces[1:]
	return n, nil
}

func (*body) Close() error { return nil }

func TestAServerThatStandsStillIsGivenUp(t *testing.T) {
	t.Parallel()
	never := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	halfway := func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: &body{r.Context(), []string{"[", "]"}, 3 * time.Minute}}, nil
	}
	refusing := func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusBadRequest, Body: &body{r.Context(), []string{"no"}, 3 * time.Minute}}, nil
	}
	for name, answer := range map[string]transport{"never": never, "halfway": halfway, "refusing": refusing} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				_, err := remoteOver(answer).List(t.Context(), Query{})
				if !errors.Is(err, errStandsStill) || errors.Is(err, ErrRefused) || !strings.HasPrefix(err.Error(), "http://localhost: ") {
					t.Errorf("got %v", err)
				}
				if waited := time.Since(begun); waited != stillPatience {
					t.Errorf("waited %v", waited)
				}
			})
		})
	}
}

// Whoever is slow and moves is awaited, and so is whoever reads slowly here.
func TestASlowServerIsAwaited(t *testing.T) {
	t.Parallel()
	const pause = stillPatience - time.Second
	slow := func(r *http.Request) (*http.Response, error) {
		if r.Body != nil {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return nil, err
			}
		}
		select {
		case <-r.Context().Done():
			return nil, r.Context().Err()
		case <-time.After(pause):
		}
		pieces := []string{"{", `"is_new"`, ":true", "}"}
		return &http.Response{StatusCode: http.StatusOK, Body: &body{r.Context(), pieces, pause}}, nil
	}
	synctest.Test(t, func(t *testing.T) {
		upload := &body{t.Context(), []string{"a", "b", "c"}, pause}
		if _, isNew, err := remoteOver(slow).Add(t.Context(), "r.jsonl", upload, 0, Facts{}); err != nil || !isNew {
			t.Errorf("uploaded: %v, %v", isNew, err)
		}
		opened, err := remoteOver(slow).Open(t.Context(), "r.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		var text strings.Builder
		for part := make([]byte, 100); ; {
			n, err := opened.Read(part)
			text.Write(part[:n])
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * stillPatience)
		}
		if text.String() != `{"is_new":true}` {
			t.Errorf("read %q", text.String())
		}
	})
}

func TestAServerThatIsNotThereIsNamedOnce(t *testing.T) {
	t.Parallel()
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	remote := remoteOver(func(*http.Request) (*http.Response, error) { return nil, refused })
	_, err := remote.List(t.Context(), Query{Commit: "aa"})
	if !errors.Is(err, syscall.ECONNREFUSED) || err.Error() != "http://localhost: "+syscall.ECONNREFUSED.Error() {
		t.Errorf("got %v", err)
	}
}
