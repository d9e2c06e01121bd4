package browser_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/browser"
)

// site serves workers' WebSockets, and shows a page that answers a Start as told.
func site(
	t *testing.T, here, there string, start func(connect func() *websocket.Conn) error,
) (*browser.Launcher, context.CancelFunc) {
	t.Helper()
	launcher := browser.New()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		launcher.Connect(w, r, r.URL.Query().Get("id"))
	}))
	t.Cleanup(server.Close)
	gone, leave := context.WithCancel(t.Context())
	launcher.Show(&browser.Page{
		Gone: gone.Done(), Here: here, There: there,
		Start: func(id string) error {
			return start(func() *websocket.Conn {
				conn, response, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(server.URL, "http")+"?id="+id, nil)
				if err != nil {
					t.Error(err)
					return nil
				}
				response.Body.Close()
				return conn
			})
		},
	})
	return launcher, leave
}

func TestAWorkerInAPageIsAProcess(t *testing.T) {
	t.Parallel()
	launcher, _ := site(t, "192.0.2.1", "192.0.2.7", func(connect func() *websocket.Conn) error {
		go func() {
			conn := connect()
			defer conn.Close()
			for {
				kind, message, err := conn.ReadMessage() // its library answers a close
				if err != nil {
					return
				}
				_ = conn.WriteMessage(kind, append([]byte("echo "), message...))
			}
		}()
		return nil
	})
	p, err := launcher.Launch(t.Context(), launch.Order{Stack: "connect-web"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.Host(), (launch.Host{ID: "phone", Address: "192.0.2.7", Unwatched: true}); got != want {
		t.Errorf("it runs on %+v, want %+v", got, want)
	}
	if launcher.HostID() != "phone" || launcher.Near(p).Host() != (launch.Host{Address: "192.0.2.1"}) {
		t.Errorf("its host is %q, and it reaches this machine at %+v", launcher.HostID(), launcher.Near(p).Host())
	}
	if _, err := io.WriteString(p, "abc"); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 8)
	if _, err := io.ReadFull(p, answer); err != nil || string(answer) != "echo abc" {
		t.Errorf("it answers %q, %v", answer, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	if n, err := p.Read(answer); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("behind its end are %d bytes, %v", n, err)
	}
}

func TestAPageThatIsLostEndsItsWorkers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		leave func(conn *websocket.Conn)
		kill  bool
		want  string
	}{
		"closed": {leave: func(conn *websocket.Conn) {
			_ = conn.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseGoingAway, ""))
		}, want: "the page was closed or left"},
		"lost":   {leave: func(conn *websocket.Conn) { conn.NetConn().Close() }, want: "sleeps, or has lost its network"},
		"killed": {leave: func(*websocket.Conn) {}, kill: true, want: "the connection to the browser was cut"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			launcher, _ := site(t, "127.0.0.1", "127.0.0.1", func(connect func() *websocket.Conn) error {
				go func() { test.leave(connect()) }()
				return nil
			})
			p, err := launcher.Launch(t.Context(), launch.Order{Stack: "codec-js"})
			if err != nil {
				t.Fatal(err)
			}
			if p.Host() != (launch.Host{Address: "127.0.0.1"}) {
				t.Errorf("a browser of this machine runs on %+v", p.Host())
			}
			if test.kill {
				p.Kill()
			}
			err = p.Wait()
			_, killed := errors.AsType[*launch.KilledError](err)
			if err == nil || !strings.Contains(err.Error(), test.want) || killed != test.kill {
				t.Errorf("it ended with %v, want %s", err, test.want)
			}
		})
	}
}

func TestAWorkerThatCantBeHadIsOneSentence(t *testing.T) {
	t.Parallel()
	order := launch.Order{Stack: "connect-web"}
	_, err := browser.New().Launch(t.Context(), order)
	if err == nil || !strings.Contains(err.Error(), "no browser has the page open") {
		t.Errorf("without a page: %v", err)
	}
	launcher, leave := site(t, "127.0.0.1", "127.0.0.1", func(func() *websocket.Conn) error { return nil })
	leave()
	if _, err := launcher.Launch(t.Context(), order); err == nil || !strings.Contains(err.Error(), "the page was closed") {
		t.Errorf("of a page that is gone: %v", err)
	}
	order.CPUs = []int{0}
	if _, err := launcher.Launch(t.Context(), order); err == nil || !strings.Contains(err.Error(), "leave client_cpus out") {
		t.Errorf("on processors: %v", err)
	}
	if launcher.Hosts("connect-go") || !launcher.Hosts("grpc-web") || (*browser.Launcher)(nil).Hosts("grpc-web") {
		t.Error("it hosts others than the page's")
	}
}
