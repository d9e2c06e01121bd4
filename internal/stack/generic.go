package stack

// GenericResponse is an option of servers that answer as gRPC's generic benchmark servers do: every message of any method gets a
// reply of that many bytes, and no message is decoded.
const GenericResponse = "generic_response_bytes"

// GenericResponseOption describes it.
var GenericResponseOption = Option{
	Name: GenericResponse, Server: true, Numbers: Range{0, MessageBytesMax},
	Help: "Answer every message with this many bytes without decoding it, like gRPC's generic benchmark servers; default off.",
}
