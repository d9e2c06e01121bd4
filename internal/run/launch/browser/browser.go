// Package browser launches workers in a browser. The page that rpcbench serves starts a fresh script for each trial, whose
// pipe of worker.v1 is a WebSocket to this process.
//
// Another package serves the page and talks with it; a Launcher only requests workers, and accepts their WebSockets.
package browser

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"rpcbench/internal/call/target"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/patience"
)

// HostID is the host of results that a browser on another machine runs on.
const HostID = "phone"

// startPatience is how long a page may take to start a worker, whose script it has loaded before.
const startPatience = 20 * time.Second

// Stacks returns the stacks that a page hosts.
func Stacks() []string {
	return []string{"connect-web", "connect-web-json", "grpc-web", "http-json-fetch", "codec-js"}
}

// A Page is one that a browser shows, at the other end of a connection.
type Page struct {
	// Start asks it for a worker that connects with this id. It must not wait for the page.
	Start func(id string) error
	// Gone is closed when the page is not there any more.
	Gone <-chan struct{}
	// Here and There are the IP addresses at which this machine and the browser's reach each other.
	Here, There string
}

// host returns where the page's workers run.
func (p *Page) host() launch.Host {
	if target.IsLoopback(p.There) || p.There == p.Here {
		return launch.Host{Address: p.Here}
	}
	return launch.Host{ID: HostID, Address: p.There, Unwatched: true}
}

// A Launcher launches workers in the page that is there. Its methods may be called concurrently.
type Launcher struct {
	mu      sync.Mutex
	page    *Page                           // nil without one
	waiting map[string]chan *websocket.Conn // by id
}

// New returns a Launcher without a page.
func New() *Launcher { return &Launcher{waiting: map[string]chan *websocket.Conn{}} }

// Show takes a page, in place of another; nil is none.
func (l *Launcher) Show(page *Page) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.page = page
}

func (l *Launcher) shown() *Page {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.page
}

// HostID returns the page's host in results; "" is this machine, or unknown. A nil Launcher has none.
func (l *Launcher) HostID() string {
	if l == nil {
		return ""
	}
	if page := l.shown(); page != nil {
		return page.host().ID
	}
	return ""
}

// Hosts reports whether a page hosts the stack.
func (l *Launcher) Hosts(stack string) bool { return l != nil && slices.Contains(Stacks(), stack) }

// errNoPage is why there is no worker.
var errNoPage = errors.New("no browser has the page open; open the address that rpcbench phone printed")

// Launch implements launch.Launcher.
func (l *Launcher) Launch(ctx context.Context, order launch.Order) (launch.Process, error) {
	if len(order.CPUs) > 0 {
		return nil, errors.New("a browser chooses its processors itself: leave client_cpus out")
	}
	page := l.shown()
	if page == nil {
		return nil, errNoPage
	}
	id := rand.Text()
	came := make(chan *websocket.Conn, 1)
	l.await(id, came)
	defer l.await(id, nil)
	if err := page.Start(id); err != nil {
		return nil, fmt.Errorf("ask the page for a worker: %w", err)
	}
	ctx, cancel := patience.WithTimeout(ctx, startPatience)
	defer cancel()
	select {
	case conn := <-came:
		return begin(conn, page.host()), nil
	case <-page.Gone:
		return nil, errors.New("the page was closed, or lost its network")
	case <-ctx.Done():
		return nil, fmt.Errorf("the page started no worker within %v: is it in the foreground?", startPatience)
	}
}

func (l *Launcher) await(id string, came chan *websocket.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if came == nil {
		delete(l.waiting, id)
		return
	}
	l.waiting[id] = came
}

// Near makes a process on this machine reachable by the page: it listens at the address where the page found this machine.
func (l *Launcher) Near(p launch.Process) launch.Process {
	page := l.shown()
	if page == nil {
		return p
	}
	return launch.At(p, page.Here)
}

// eventBytesMax is more than an event has.
const eventBytesMax = 9 << 20

// Connect takes the WebSocket of the worker that was asked for by this id.
func (l *Launcher) Connect(w http.ResponseWriter, r *http.Request, id string) {
	l.mu.Lock()
	came := l.waiting[id]
	delete(l.waiting, id)
	l.mu.Unlock()
	if came == nil {
		http.Error(w, "no worker is asked for by this name", http.StatusNotFound)
		return
	}
	upgrader := websocket.Upgrader{} // only of pages of this server
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // the upgrader has answered
	}
	conn.SetReadLimit(eventBytesMax)
	came <- conn
}

// HostOf is the IP address of a network address.
func HostOf(address net.Addr) string {
	host, _, err := net.SplitHostPort(address.String())
	if err != nil {
		return address.String()
	}
	return host
}
