package point

import "rpcbench/internal/stack"

// Usual returns a point of a kind with the default of every key except its batch. 0 is no batch.
func Usual(kind string, batch int) Spec {
	a := Asked{Spec: Spec{Kind: kind, Batch: batch}}
	for _, k := range settable {
		value, ok := k.Unsaid(a)
		if !ok {
			continue
		}
		if setters, err := k.Read(value); err == nil && len(setters) > 0 {
			setters[0](&a)
		}
	}
	a.Batch = batch
	return a.Spec
}

// Usual is the usual point of the kind and batch, with the response that follows from the request, and as many streams as calls
// in flight.
func (s Spec) Usual() Spec {
	usual := Usual(s.Kind, s.Batch)
	if usual.ResponseBytes == 0 && usual.RequestBytes > 0 && s.Kind != stack.KindUpload {
		usual.ResponseBytes = s.RequestBytes
	}
	if stack.SharesStreams(s.Kind) {
		usual.Streams = s.InFlight
	}
	return usual
}
