package tcp

import "rpcbench/internal/stack"

// requests are the frames that a call sends. All slots of a call have them together.
type requests struct {
	call   stack.Call
	frame  []byte // asks for one reply, or for all of a download
	silent []byte // asks for none; of an upload only
}

func newRequests(call stack.Call) requests {
	h := header{replyBytes: uint32(call.ResponseBytes), replies: 1}
	if call.Kind == stack.KindDownload {
		h.replies = uint32(call.Messages)
	}
	made := requests{call: call, frame: newFrame(h, call.Request)}
	if call.Kind == stack.KindUpload {
		h.replies = 0
		made.silent = newFrame(h, call.Request)
	}
	return made
}

// are tells whether these are the requests of call.
func (r requests) are(call stack.Call) bool {
	return r.frame != nil && r.call.Kind == call.Kind && r.call.ResponseBytes == call.ResponseBytes &&
		r.call.Messages == call.Messages && sameMemory(r.call.Request, call.Request)
}

// sameMemory tells whether a and b are one slice, not only equal ones.
func sameMemory(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
