// Bounds batches before they are decoded. Every file that sees the generated service includes it first, so that all
// agree.
#pragma once

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/status.h>

#include <cstdint>

#include "batch.pb.h"

namespace rpcbench::grpcpp {

// Counts the operations in the encoding of a Batch, without decoding them, up to one more than most; −1 where it is
// malformed. The bytes may come in any number of slices.
int64_t count_operations(grpc::ByteBuffer& encoded, int64_t most);

// A batch that was refused: it is empty but for a field that no schema has.
void mark_refused(batch::v1::Batch& batch, bool malformed);

// Why a batch was refused: OK where it was not.
grpc::Status refusal_of(const batch::v1::Batch& batch);

}  // namespace rpcbench::grpcpp

namespace grpc {

// As the library has it for every message, but for a batch with more operations than a message may have: decoded, it
// would take many times the memory of its encoding. The library would end a call whose message can't be decoded as
// UNIMPLEMENTED, or, in a stream, as if the client had sent all; so a batch that is refused arrives, empty and marked.
template <>
class SerializationTraits<rpcbench::batch::v1::Batch, void> {
 public:
  static Status Serialize(const rpcbench::batch::v1::Batch& batch, ByteBuffer* buffer, bool* own) {
    return GenericSerialize<ProtoBufferWriter, rpcbench::batch::v1::Batch>(batch, buffer, own);
  }

  static Status Deserialize(ByteBuffer* buffer, rpcbench::batch::v1::Batch* batch);
};

}  // namespace grpc
