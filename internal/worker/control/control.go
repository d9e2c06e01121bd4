// Package control implements rpcbench.worker.v1, the protocol between the driver and a worker of any language: the framing,
// and the driver's Session. It is the only importer of the generated code and defines the names of its messages.
//
// It decides nothing: how to handle a Fault, and when to Stop, is up to the driver.
package control

import (
	"bufio"
	"fmt"
	"io"
	"sync"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/worker/control/workerv1"
)

// Version is the protocol version in Hello.
const Version = 1

// The messages of worker.v1.
type (
	Hello             = workerv1.Hello
	Host              = workerv1.Host
	VirtualMachine    = workerv1.VirtualMachine
	StackInfo         = workerv1.StackInfo
	Deviation         = workerv1.Deviation
	OptionInfo        = workerv1.OptionInfo
	Security          = workerv1.Security
	Serve             = workerv1.Serve
	Permissions       = workerv1.Permissions
	Program           = workerv1.Program
	Limits            = workerv1.Limits
	Serving           = workerv1.Serving
	Connect           = workerv1.Connect
	Connected         = workerv1.Connected
	Codec             = workerv1.Codec
	Call              = workerv1.Call
	Recipe            = workerv1.Recipe
	Prepared          = workerv1.Prepared
	PreparedRequest   = workerv1.PreparedRequest
	PreparedMessage   = workerv1.PreparedMessage
	PreparedMetadatum = workerv1.PreparedMetadatum
	Part              = workerv1.Part
	Function          = workerv1.Function
	Encoding          = workerv1.Encoding
	Metadatum         = workerv1.Metadatum
	Sizes             = workerv1.Sizes
	Mix               = workerv1.Mix
	MixedRecipe       = workerv1.MixedRecipe
	SizeBin           = workerv1.SizeBin
	Accesses          = workerv1.Accesses
	Store             = workerv1.Store
	Background        = workerv1.Background
	Begin             = workerv1.Begin
	Load              = workerv1.Load
	Stage             = workerv1.Stage
	Mark              = workerv1.Mark
	Stop              = workerv1.Stop
	Profile           = workerv1.Profile
	Profiled          = workerv1.Profiled
	Dump              = workerv1.Dump
	Dumped            = workerv1.Dumped
	Piece             = workerv1.Piece
	Relay             = workerv1.Relay
	Hop               = workerv1.Hop
	Relaying          = workerv1.Relaying
	Snapshot          = workerv1.Snapshot
	Interval          = workerv1.Interval
	Quantiles         = workerv1.Quantiles
	Done              = workerv1.Done
	FirstCall         = workerv1.FirstCall
	BackgroundDone    = workerv1.BackgroundDone
	Outcome           = workerv1.Outcome
	Histogram         = workerv1.Histogram
	Window            = workerv1.Window
	Tail              = workerv1.Tail
	Watch             = workerv1.Watch
	Watched           = workerv1.Watched
	WatchedPart       = workerv1.WatchedPart
	Fault             = workerv1.Fault
	Command           = workerv1.Command
	Event             = workerv1.Event
)

// A Phase is started by a Begin.
type Phase = workerv1.Phase

// Phases.
const (
	Warmup   = workerv1.Phase_PHASE_WARMUP
	Measured = workerv1.Phase_PHASE_MEASURED
)

// Loads, as in Load.arrivals. Scenarios have the same words.
const (
	LoadClosed   = "closed"
	LoadConstant = "constant"
	LoadPoisson  = "poisson"
)

// PieceBytesMax is the most data that one Piece has.
const PieceBytesMax = 1 << 20

// A CommandReader reads the driver's commands.
type CommandReader struct{ in *bufio.Reader }

// NewCommandReader reads from in.
func NewCommandReader(in io.Reader) *CommandReader { return &CommandReader{bufio.NewReader(in)} }

// Read returns the next Command, and io.EOF after the last. Empty ones, which say only that the driver is there, are
// passed over.
func (r *CommandReader) Read() (*Command, error) {
	for {
		command := &Command{}
		if err := unmarshal(r.in, command, commandBytesMax); err != nil {
			return nil, err
		}
		if proto.Size(command) > 0 {
			return command, nil
		}
	}
}

// An EventWriter writes a worker's Events. It may be used concurrently.
type EventWriter struct {
	mu  sync.Mutex
	out io.Writer
}

// NewEventWriter writes to out.
func NewEventWriter(out io.Writer) *EventWriter { return &EventWriter{out: out} }

// Write sends an event, a message of worker.v1 such as *Hello.
func (w *EventWriter) Write(message any) error {
	event, err := eventOf(message)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err = protodelim.MarshalTo(w.out, event)
	return err
}

func eventOf(message any) (*Event, error) {
	switch m := message.(type) {
	case *Hello:
		return &Event{Event: &workerv1.Event_Hello{Hello: m}}, nil
	case *Serving:
		return &Event{Event: &workerv1.Event_Serving{Serving: m}}, nil
	case *Connected:
		return &Event{Event: &workerv1.Event_Connected{Connected: m}}, nil
	case *Snapshot:
		return &Event{Event: &workerv1.Event_Snapshot{Snapshot: m}}, nil
	case *Interval:
		return &Event{Event: &workerv1.Event_Interval{Interval: m}}, nil
	case *Done:
		return &Event{Event: &workerv1.Event_Done{Done: m}}, nil
	case *Fault:
		return &Event{Event: &workerv1.Event_Fault{Fault: m}}, nil
	case *Piece:
		return &Event{Event: &workerv1.Event_Piece{Piece: m}}, nil
	case *Profiled:
		return &Event{Event: &workerv1.Event_Profiled{Profiled: m}}, nil
	case *Dumped:
		return &Event{Event: &workerv1.Event_Dumped{Dumped: m}}, nil
	case *Relaying:
		return &Event{Event: &workerv1.Event_Relaying{Relaying: m}}, nil
	case *Watched:
		return &Event{Event: &workerv1.Event_Watched{Watched: m}}, nil
	default:
		return nil, fmt.Errorf("%T is not an event", message)
	}
}

func commandOf(message any) (*Command, error) {
	switch m := message.(type) {
	case *Serve:
		return &Command{Command: &workerv1.Command_Serve{Serve: m}}, nil
	case *Connect:
		return &Command{Command: &workerv1.Command_Connect{Connect: m}}, nil
	case *Begin:
		return &Command{Command: &workerv1.Command_Begin{Begin: m}}, nil
	case *Mark:
		return &Command{Command: &workerv1.Command_Mark{Mark: m}}, nil
	case *Stop:
		return &Command{Command: &workerv1.Command_Stop{Stop: m}}, nil
	case *Profile:
		return &Command{Command: &workerv1.Command_Profile{Profile: m}}, nil
	case *Dump:
		return &Command{Command: &workerv1.Command_Dump{Dump: m}}, nil
	case *Relay:
		return &Command{Command: &workerv1.Command_Relay{Relay: m}}, nil
	case *Watch:
		return &Command{Command: &workerv1.Command_Watch{Watch: m}}, nil
	default:
		return nil, fmt.Errorf("%T is not a command", message)
	}
}

// Unwrap returns the message in a Command, such as *Serve; nil where this version does not know it.
func Unwrap(command *Command) any {
	switch c := command.GetCommand().(type) {
	case *workerv1.Command_Serve:
		return c.Serve
	case *workerv1.Command_Connect:
		return c.Connect
	case *workerv1.Command_Begin:
		return c.Begin
	case *workerv1.Command_Mark:
		return c.Mark
	case *workerv1.Command_Stop:
		return c.Stop
	case *workerv1.Command_Profile:
		return c.Profile
	case *workerv1.Command_Dump:
		return c.Dump
	case *workerv1.Command_Relay:
		return c.Relay
	case *workerv1.Command_Watch:
		return c.Watch
	default:
		return nil
	}
}
