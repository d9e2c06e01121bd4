// Limits on batches, enforced before they are decoded. Every file that uses the generated service includes this header
// first, so that all of them use the same traits.
#pragma once

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/status.h>

#include <cstdint>

#include "batch.pb.h"

namespace rpcbench::grpcpp {

// Counts the operations in an encoded Batch without decoding them. Stops at max + 1; returns −1 if the batch is
// malformed. The bytes may be in any number of slices.
int64_t count_operations(grpc::ByteBuffer& encoded, int64_t max);

// Makes the batch a refused one: empty except for a field that no schema has.
void mark_refused(batch::v1::Batch& batch, bool malformed);

// Returns why a batch was refused, or OK.
grpc::Status refusal_of(const batch::v1::Batch& batch);

}  // namespace rpcbench::grpcpp

namespace grpc {

// The library's traits, except that they refuse a batch with too many operations: decoded, it would take many times the
// memory of its encoding. If decoding failed, the library would end a unary call with UNIMPLEMENTED, and a stream as if
// the client had half-closed. So a refused batch is delivered empty and marked.
template <>
class SerializationTraits<rpcbench::batch::v1::Batch, void> {
 public:
  static Status Serialize(const rpcbench::batch::v1::Batch& batch, ByteBuffer* buffer, bool* own) {
    return GenericSerialize<ProtoBufferWriter, rpcbench::batch::v1::Batch>(batch, buffer, own);
  }

  static Status Deserialize(ByteBuffer* buffer, rpcbench::batch::v1::Batch* batch);
};

}  // namespace grpc
