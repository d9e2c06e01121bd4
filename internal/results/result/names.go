package result

// Status of a trial.
const (
	StatusOK     = "ok"
	StatusFailed = "failed"
)

// Phases, as in Stalled.
const (
	PhaseWarmup   = "warmup"
	PhaseMeasured = "measured"
)

// Histogram names. A closed load has a response only; every load has errors where calls failed.
const (
	HistResponse = "response" // OK calls from due to done, and the lower bounds of UNSENT and UNFINISHED ones
	HistBound    = "bound"    // the lower bounds alone, where there are some
	HistService  = "service"  // OK calls from sent to done
	HistWake     = "wake"     // from due to sent while a slot was free: the instrument's lateness
	HistQueue    = "queue"    // from due until a slot was free
	HistError    = "error"    // failed calls from due to done
)

// Histogram names of messages within calls of foreign methods, whatever the outcome of their call.
const (
	HistFirstReply = "first_reply" // download and stream: from when the call was sent to its first reply
	HistReplyGap   = "reply_gap"   // download: from one reply to the next
	HistMessage    = "message"     // stream: from when a message was due, or without a rate sent, to the reply of its number
	HistMessageLag = "message_lag" // upload and stream with a rate: from when a message was due until it was sent
)

// Outcome codes: two of stack.Code, and those of calls that did not end.
const (
	CodeOK         = "OK"
	CodeDeadline   = "DEADLINE_EXCEEDED"
	CodeUnsent     = "UNSENT"     // due, and never sent before the drain ended
	CodeUnfinished = "UNFINISHED" // sent, and not answered before the drain ended
)
