package rpcbench.stack;

/**
 * The outcome of a call: gRPC's codes under gRPC's numbers
 * (https://grpc.github.io/grpc/core/md_doc_statuscodes.html), and MISMATCH for a reply that came and was wrong.
 */
public enum Code {
  OK,
  CANCELLED,
  UNKNOWN,
  INVALID_ARGUMENT,
  DEADLINE_EXCEEDED,
  NOT_FOUND,
  ALREADY_EXISTS,
  PERMISSION_DENIED,
  RESOURCE_EXHAUSTED,
  FAILED_PRECONDITION,
  ABORTED,
  OUT_OF_RANGE,
  UNIMPLEMENTED,
  INTERNAL,
  UNAVAILABLE,
  DATA_LOSS,
  UNAUTHENTICATED,
  MISMATCH
}
