package stack

import (
	"slices"
	"strings"
)

// CheckServe returns an *Error with INVALID_ARGUMENT if the stack does not support what config asks for.
func (i Info) CheckServe(config ServeConfig) error {
	return i.checkOptions(config.Options, "server", i.ServerOptions())
}

// CheckDial returns an *Error with INVALID_ARGUMENT if the stack does not support what config asks for.
func (i Info) CheckDial(config DialConfig) error {
	if err := i.checkWord("network", config.Network, i.Networks); err != nil {
		return err
	}
	if err := i.checkWord("compression", config.Compression, i.Compressions); err != nil {
		return err
	}
	if config.InFlight < 1 {
		return Errorf(InvalidArgument, "in_flight is %d, and must be at least 1", config.InFlight)
	}
	return i.checkOptions(config.Options, "client", i.ClientOptions())
}

// CheckCall returns an *Error with INVALID_ARGUMENT where no Caller can be made of call for slot of inFlight slots.
// KindConnect and KindFirstCall are refused: they are made of Dial and of a unary Caller.
func (i Info) CheckCall(call Call, slot, inFlight int) error {
	if err := i.checkWord("kind", call.Kind, i.Kinds); err != nil {
		return err
	}
	switch {
	case IsCodec(call.Kind):
		return i.checkCodec(call.Codec, slot)
	case call.Kind == KindConnect || call.Kind == KindFirstCall:
		return Errorf(InvalidArgument, "%s is measured by Dial and has no Caller", call.Kind)
	case slot < 0 || slot >= inFlight:
		return Errorf(InvalidArgument, "slot is %d, and must be at least 0 and less than %d", slot, inFlight)
	}
	n := Numbers{
		Kind: call.Kind, RequestBytes: len(call.Request), ResponseBytes: call.ResponseBytes, Batch: call.Batch,
		Messages: call.Messages, PerStream: call.PerStream, Streams: call.Streams, InFlight: inFlight, Foreign: call.IsForeign(),
	}
	if f := n.Check(); f != nil {
		return Errorf(InvalidArgument, "%s: %s", f.Field, f.Reason)
	}
	switch {
	case call.Method != nil:
		return i.checkMethod(call)
	case call.Resource != nil:
		return i.checkResource(call)
	default:
		return i.checkDrawn(call)
	}
}

// checkDrawn checks the parts of a Call that are drawn at random.
func (i Info) checkDrawn(call Call) error {
	switch {
	case call.Sizes != nil && !i.Sizes:
		return Errorf(InvalidArgument, "%s sends no random sizes", i.Name)
	case call.Sizes != nil && (call.Batch > 0 || !IsSizedKind(call.Kind)):
		return Errorf(InvalidArgument,
			"random sizes are for messages without batches, of unary, stream, ping_pong, burst and upload")
	case call.Accesses != nil && !i.Stores:
		return Errorf(InvalidArgument, "%s makes no accesses to a store", i.Name)
	case call.Accesses != nil && (call.Batch == 0 || len(call.Request) < ValueBytesMin || len(call.Request) != call.ResponseBytes):
		return Errorf(InvalidArgument, "accesses to a store are operations of a batch, with values of at least %d bytes", ValueBytesMin)
	default:
		return nil
	}
}

func (i Info) checkResource(call Call) error {
	switch {
	case !i.Methods || i.Protocol != ProtocolHTTPJSON:
		return Errorf(InvalidArgument, "%s does not call HTTP resources", i.Name)
	case call.Kind != KindUnary:
		return Errorf(InvalidArgument, "HTTP resources support only unary calls")
	case len(call.Request) > 0 || call.ResponseBytes > 0 || call.Batch > 0 || call.Check != nil:
		return Errorf(InvalidArgument, "an HTTP resource has its own bodies: payload, batch and check do not apply")
	}
	return nil
}

func (i Info) checkMethod(call Call) error {
	switch {
	case !i.Methods || i.Protocol != ProtocolGRPC:
		return Errorf(InvalidArgument, "%s does not call methods of other services", i.Name)
	case !isMethodKind(call.Kind):
		return Errorf(InvalidArgument, "a method does not support %s; it supports unary, upload, download, "+
			"stream and ping_pong", call.Kind)
	case len(call.Request) > 0 || call.ResponseBytes > 0 || call.Batch > 0 || call.Check != nil:
		return Errorf(InvalidArgument, "a method has its own messages: payload, batch and check do not apply")
	case call.Method.Paced() && !SendsMany(call.Kind):
		return Errorf(InvalidArgument, "%s does not support a message rate; upload and stream do", call.Kind)
	default:
		return nil
	}
}

func (i Info) checkCodec(codec *Codec, slot int) error {
	switch {
	case codec == nil:
		return Errorf(InvalidArgument, "no codec is set to encode or decode with")
	case slot != 0:
		return Errorf(InvalidArgument, "slot is %d; encode and decode have slot 0 only", slot)
	case codec.Sample < SampleMin || codec.Sample > SampleMax:
		return Errorf(InvalidArgument, "sample is %v, and must be %v to %v", codec.Sample, SampleMin, SampleMax)
	}
	if err := i.checkWord("message", codec.Message, i.Messages); err != nil {
		return err
	}
	return i.checkWord("codec", codec.Codec, i.Codecs)
}

// checkWord refuses an unknown word. A stack without any, such as a codec without networks, accepts "".
func (i Info) checkWord(what, word string, known []string) error {
	if slices.Contains(known, word) || word == "" && len(known) == 0 {
		return nil
	}
	offer := "it has none"
	if len(known) > 0 {
		offer = "it has " + strings.Join(known, ", ")
	}
	return Errorf(InvalidArgument, "%s has no %s %q; %s", i.Name, what, word, offer)
}

func (i Info) checkOptions(given map[string]string, side string, own []Option) error {
	if why := RefuseOptions(i.Name, side, own, given); why != "" {
		return Errorf(InvalidArgument, "%s", why)
	}
	return nil
}
