package worker

import (
	"context"
	"crypto/tls"
	"slices"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
	"rpcbench/internal/worker/load"
)

// dialPatience bounds the opening of one connection. A JVM that starts on a busy machine takes more than ten seconds to
// answer its first.
const dialPatience = 30 * time.Second

// A client holds the connections and slots of a Connect.
type client struct {
	info    stack.Info
	connect *control.Connect
	wire    *wire
	call    stack.Call     // of a mix, what its calls have in common
	parts   []*part        // of a mix in its order; otherwise one
	weights *stack.Weights // nil without a mix
	conns   []stack.Conn
	retried int64 // calls sent once more in the phases before this
	pool    *load.SlotPool
	crews   []*crew // of the pool; nil without loops
	waiter  *load.ThreadWaiter
	within  *messages // of call.Method's calls; nil without a Method
	phase   runningPhase
	beside  *background // nil without one
	endIdle func()      // ends idle streams; nil without any
	first   *firstCall  // nil for connect and first_call
}

// connect opens the connections and fills the slots.
func (w *worker) connect(c *control.Connect) (*control.Connected, error) {
	if err := w.leave(c); err != nil {
		return nil, err
	}
	s, err := w.find("connect", c.GetStack())
	if err != nil {
		return nil, err
	}
	if stack.IsCodec(c.GetCall().GetKind()) {
		return w.connectCodec(s, c)
	}
	if err := checkConnect(s.Info(), c); err != nil {
		return nil, err
	}
	if why := stack.RefuseOptions(c.GetStack(), "client", s.Info().ClientOptions(), c.GetOptions()); why != "" {
		return nil, control.Faultf("connect.options", "%s", why)
	}
	config, err := ClientTLS(c.GetSecurity())
	if err != nil {
		return nil, err
	}
	cl := &client{info: s.Info(), connect: c, wire: w.wire, call: callOf(c.GetCall(), int(c.GetStreams())), waiter: load.NewWaiter()}
	if err := cl.setCalls(); err != nil {
		return nil, err
	}
	w.wire.first.watch(config)
	calls, err := cl.open(w.ctx, dials(s, c, config, w.wire))
	cl.crews = calls.crews
	if err == nil && !opensByCall(cl.call.Kind) {
		cl.first = &firstCall{timeline: &w.wire.first}
		calls.watch(cl.first)
	}
	if err != nil {
		cl.close()
		return nil, control.Faultf("connect", "%v", err)
	}
	if cl.beside, err = cl.openBackground(); err != nil {
		cl.close()
		return nil, control.Faultf("connect.background", "%v", err)
	}
	cl.pool = cl.newPool(calls)
	if err := cl.openIdle(w.ctx); err != nil { // the pool reads for a Pipeline, and for Callers beside it
		cl.close()
		return nil, control.Faultf("connect.idle_streams", "an idle stream could not be opened: %v", err)
	}
	w.client = cl
	return &control.Connected{Sockets: uint32(w.wire.open.Load())}, nil
}

func (cl *client) newPool(c calls) *load.SlotPool {
	begun := time.Now()
	return load.NewSlotPool(load.Config{
		Callers:  c.callers,
		Mix:      c.mix,
		Lines:    c.lines,
		LineOf:   c.lineOf,
		Now:      func() time.Duration { return time.Since(begun) },
		Waiter:   cl.waiter,
		Deadline: deadlineOf(cl.connect.GetCall()),
	})
}

// checkConnect names the first field that this worker can't honour.
func checkConnect(info stack.Info, c *control.Connect) error {
	call := c.GetCall()
	payload := call.GetPayload()
	if isForeign(call) {
		payload = stack.PayloadRandom // it has none
	}
	if err := checkSide("connect", info, info.Calls, c.GetNetwork(), c.GetSecurity(), payload); err != nil {
		return err
	}
	switch {
	case !slices.Contains(info.Kinds, call.GetKind()):
		return control.Faultf("connect.call.kind", "%s has no %q", info.Name, call.GetKind())
	case !slices.Contains(info.Compressions, call.GetCompression()):
		return control.Faultf("connect.call.compression", "%s has no %q", info.Name, call.GetCompression())
	case len(c.GetAddresses()) == 0:
		return control.Faultf("connect.addresses", "there is none")
	case c.GetConnections() == 0:
		return control.Faultf("connect.connections", "there must be at least one")
	case c.GetInFlight() == 0:
		return control.Faultf("connect.in_flight", "there must be at least one")
	case call.GetDeadlineNs() < int64(time.Millisecond):
		return control.Faultf("connect.call.deadline_ns", "it must be at least 1 ms")
	}
	if err := checkMessageRate(call); err != nil {
		return err
	}
	if err := checkIdle(info, c); err != nil {
		return err
	}
	if isForeign(call) {
		return checkForeign(info, c)
	}
	if err := checkBackground(info, c); err != nil {
		return err
	}
	if err := checkNoCodec(call); err != nil {
		return err
	}
	if err := checkNumbers(c); err != nil {
		return err
	}
	return checkDrawn(info, call)
}

// checkNumbers names the first number of a Connect that a call can't have.
func checkNumbers(c *control.Connect) error {
	call := c.GetCall()
	n := stack.Numbers{
		Kind: call.GetKind(), RequestBytes: int(call.GetRequestBytes()), ResponseBytes: int(call.GetResponseBytes()),
		Batch: int(call.GetBatch()), Messages: int(call.GetMessages()), Streams: int(c.GetStreams()),
		PerStream: int(call.GetMessagesPerStream()),
		InFlight:  int(c.GetInFlight()), Foreign: isForeign(call),
	}
	switch f := n.Check(); {
	case f == nil:
		return nil
	case f.Field == "streams":
		return control.Faultf("connect.streams", "%s", f.Reason)
	default:
		return control.Faultf("connect.call."+f.Field, "%s", f.Reason)
	}
}

// callOf describes the measured call to the adapter.
func callOf(call *control.Call, streams int) stack.Call {
	if isForeign(call) {
		return stack.Call{
			Kind: call.GetKind(), Messages: int(call.GetMessages()), Streams: streams, PerStream: int(call.GetMessagesPerStream()),
			Deadline: deadlineOf(call),
		}
	}
	made := stack.Call{
		Kind:          call.GetKind(),
		Request:       stack.Payload(call.GetPayload(), call.GetSeed(), int(call.GetRequestBytes())),
		ResponseBytes: int(call.GetResponseBytes()),
		Messages:      int(call.GetMessages()),
		Streams:       streams,
		PerStream:     int(call.GetMessagesPerStream()),
		Batch:         int(call.GetBatch()),
		Deadline:      deadlineOf(call),
	}
	if !call.GetLengthsOnly() {
		made.Check = checkAgainst(expected(call, made.Request))
	}
	setDrawn(&made, call)
	return made
}

func deadlineOf(call *control.Call) time.Duration { return time.Duration(call.GetDeadlineNs()) }

// replyPart is the part of the memory that replies of any length may take: libraries hold one compressed and decompressed.
const replyPart = 4

// replyShare returns a slot's share of the memory for replies. Clients on one host share that memory.
func replyShare(memory int64, c *control.Connect) int {
	slots := int(c.GetConnections()) * int(c.GetInFlight())
	return stack.ReplyShare(memory/replyPart/int64(max(c.GetClientsHere(), 1)), slots)
}

// A dialFunc opens connection i.
type dialFunc func(ctx context.Context, i int) (stack.Conn, error)

func dials(s stack.Stack, c *control.Connect, config *tls.Config, w *wire) dialFunc {
	share := replyShare(host.MemoryLimit(), c)
	return func(ctx context.Context, i int) (stack.Conn, error) {
		return s.Dial(ctx, stack.DialConfig{
			Network:     c.GetNetwork(),
			Address:     c.GetAddresses()[i%len(c.GetAddresses())],
			Dial:        w.dial,
			TLS:         config.Clone(),
			Compression: c.GetCall().GetCompression(),
			Authority:   authorityOf(c.GetCall()),
			InFlight:    int(c.GetInFlight()),
			ReplyShare:  share,
			Options:     c.GetOptions(),
		})
	}
}

// open opens the connections and makes their Callers or Pipelines.
func (cl *client) open(ctx context.Context, dial dialFunc) (calls, error) {
	connections, inFlight := int(cl.connect.GetConnections()), int(cl.connect.GetInFlight())
	if opensByCall(cl.call.Kind) {
		return calls{callers: openers(cl.call, connections*inFlight, dial)}, nil
	}
	if err := cl.openConns(ctx, dial); err != nil {
		return calls{}, err
	}
	return callsOn(cl.conns, cl.connect.GetNetwork(), cl.parts, cl.weights, inFlight)
}

// opensByCall reports whether calls of the kind open connections themselves.
func opensByCall(kind string) bool { return kind == stack.KindConnect || kind == stack.KindFirstCall }

func (cl *client) close() {
	cl.stop(&control.Stop{})
	if cl.beside != nil {
		cl.beside.end()
	}
	if cl.endIdle != nil {
		cl.endIdle()
	}
	if cl.pool != nil {
		cl.pool.Close()
	}
	cl.within.close()
	for _, conn := range cl.conns {
		_ = conn.Close() // nobody is left to hear of it
	}
	closeAll(cl.crews)
}
