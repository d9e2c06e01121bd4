package phone

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/run/launch/browser"
)

const (
	// wordBytesMax is more than a page says at once.
	wordBytesMax = 4 << 10
	// writePatience is how long a browser may take to receive a message.
	writePatience = 10 * time.Second
	// beatEvery is the interval of pings to a page, gonePatience how long it may be silent.
	beatEvery    = 5 * time.Second
	gonePatience = 20 * time.Second
)

// A page is one that a browser shows.
type page struct {
	server *Server
	conn   *websocket.Conn
	ctx    context.Context
	leave  context.CancelFunc
	over   chan struct{} // closed when nothing of it runs any more
	runs   sync.WaitGroup

	writing sync.Mutex
	mu      sync.Mutex
	cancel  context.CancelFunc // of the run that is under way; nil without one
}

// A message is sent to the page. Its fields depend on its kind.
type message map[string]any

// A word is a message from the page.
type word struct {
	Kind  string   `json:"kind"`  // run, cancel, battery
	Level *float64 `json:"level"` // of the battery, 0 to 1
}

// servePage talks with a page until it is gone.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{} // only of pages of this server
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // the upgrader has answered
	}
	ctx, leave := context.WithCancel(context.WithoutCancel(r.Context()))
	p := &page{server: s, conn: conn, ctx: ctx, leave: leave, over: make(chan struct{})}
	before := s.show(p)
	if before != nil {
		before.replace()
		<-before.over // it has the workers of one run at a time
	}
	here := conn.LocalAddr()
	s.Launcher.Show(&browser.Page{
		Start: func(id string) error { return p.send(message{"kind": "start", "id": id}) }, Gone: ctx.Done(),
		Here: browser.HostOf(here), There: browser.HostOf(conn.RemoteAddr()),
	})
	s.sayf("a browser at %s has opened the page", plain.Line(browser.HostOf(conn.RemoteAddr())))
	p.talk()
	if r.Context().Err() == nil {
		s.sayf("the page was closed or lost")
	}
	s.gone(p)
	p.runs.Wait()
	close(p.over)
}

// closeReplaced is the code of a WebSocket that is closed because another page was opened: one for private use, RFC 6455,
// section 7.4.2. The page that was there connects no more, as each of two would take the other's place, again and again.
const closeReplaced = 4001

// replace ends a page because another one was opened.
func (p *page) replace() {
	told := websocket.FormatCloseMessage(closeReplaced, "another page was opened")
	_ = p.conn.WriteControl(websocket.CloseMessage, told, time.Now().Add(writePatience)) // it may be gone
	p.leave()
}

// show takes a page, and returns the one before.
func (s *Server) show(p *page) (before *page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.page = s.page, p
	return before
}

func (s *Server) gone(p *page) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.page == p {
		s.page = nil
		s.Launcher.Show(nil)
	}
}

// talk obeys the page, and keeps asking whether it is there.
func (p *page) talk() {
	p.conn.SetReadLimit(wordBytesMax)
	alive := func() { _ = p.conn.SetReadDeadline(time.Now().Add(gonePatience)) }
	p.conn.SetPongHandler(func(string) error { alive(); return nil })
	alive()
	var beating sync.WaitGroup
	beating.Go(p.beat)
	beating.Go(p.tellPlan)
	for {
		var said word
		err := p.conn.ReadJSON(&said)
		if _, malformed := errors.AsType[*json.SyntaxError](err); malformed {
			continue
		}
		if err != nil {
			break
		}
		alive()
		p.obey(said)
	}
	p.leave()
	_ = p.conn.Close()
	beating.Wait()
}

// beat pings the page, and closes the connection when it is to leave.
func (p *page) beat() {
	ticker := time.NewTicker(beatEvery)
	defer ticker.Stop()
	for {
		select {
		case <-p.ctx.Done():
			_ = p.conn.Close() // ends the reading
			return
		case <-ticker.C:
			_ = p.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writePatience))
		}
	}
}

// tellPlan tells the page what it would measure.
func (p *page) tellPlan() {
	plan, err := p.server.Bench.Plan(p.ctx)
	switch {
	case p.ctx.Err() != nil:
	case err != nil:
		_ = p.send(message{"kind": "refused", "text": err.Error()})
	default:
		_ = p.send(message{
			"kind": "plan", "title": plan.Title, "trials": plan.Trials, "seconds": plan.About.Seconds(), "appBytes": p.server.appBytes(),
			"authority": p.server.Authority != nil,
		})
	}
}

func (p *page) obey(said word) {
	switch said.Kind {
	case "run":
		p.run()
	case "cancel":
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.cancel != nil {
			p.cancel()
		}
	case "battery":
		if said.Level != nil {
			p.server.sayf("battery: %.0f%%", 100**said.Level)
		}
	}
}

// run begins a run, unless one is under way.
func (p *page) run() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancel != nil {
		return
	}
	ctx, cancel := context.WithCancel(p.ctx)
	p.cancel = cancel
	p.runs.Go(func() {
		defer cancel()
		result, err := p.server.Bench.Run(ctx, &listener{page: p, begun: time.Now()})
		if result.Page != nil {
			p.server.mu.Lock()
			p.server.report = result.Page
			p.server.mu.Unlock()
		}
		p.mu.Lock()
		p.cancel = nil
		p.mu.Unlock()
		_ = p.send(ended(result, err, ctx.Err() != nil))
	})
}

// ended returns the message about how a run ended.
func ended(result Result, err error, cancelled bool) message {
	told := message{
		"kind": "ended", "file": result.File, "failed": result.Failed, "report": result.Page != nil, "cancelled": cancelled,
	}
	if err != nil && !cancelled {
		told["text"] = err.Error()
	}
	return told
}

// send sends a message. It may be called concurrently, and waits for a browser that takes nothing for writePatience at the most.
func (p *page) send(m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	_ = p.conn.SetWriteDeadline(time.Now().Add(writePatience))
	err = p.conn.WriteMessage(websocket.TextMessage, text)
	if _, late := errors.AsType[net.Error](err); late {
		p.leave() // it takes nothing any more
	}
	return err
}
