#include "grpc/bounded_batch.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/unknown_field_set.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>

#include "stack/bounds.h"

namespace rpcbench::grpcpp {
namespace {

using google::protobuf::internal::WireFormatLite;

constexpr int kRefused = 19'000;  // reserved by protobuf, so no schema uses it
constexpr uint64_t kTooMany = 1;
constexpr uint64_t kMalformed = 2;

constexpr uint32_t kOperations =
    batch::v1::Batch::kOperationsFieldNumber << 3 | WireFormatLite::WIRETYPE_LENGTH_DELIMITED;

}  // namespace

void mark_refused(batch::v1::Batch& batch, bool malformed) {
  batch.Clear();
  batch.GetReflection()->MutableUnknownFields(&batch)->AddVarint(kRefused, malformed ? kMalformed : kTooMany);
}

grpc::Status refusal_of(const batch::v1::Batch& batch) {
  const auto& unknown = batch.GetReflection()->GetUnknownFields(batch);
  if (unknown.empty() || batch.operations_size() > 0 || unknown.field(0).number() != kRefused ||
      unknown.field(0).type() != google::protobuf::UnknownField::TYPE_VARINT) {
    return grpc::Status::OK;
  }
  if (unknown.field(0).varint() == kMalformed) {
    return {grpc::StatusCode::INTERNAL, "the message is not valid protobuf"};
  }
  return {grpc::StatusCode::RESOURCE_EXHAUSTED,
          "the message has more than " + std::to_string(stack::kMaxBatch) + " operations"};
}

int64_t count_operations(grpc::ByteBuffer& encoded, int64_t max) {
  grpc::ProtoBufferReader reader(&encoded);  // does not consume the bytes
  if (!reader.status().ok()) return -1;
  google::protobuf::io::CodedInputStream in(&reader);
  int64_t count = 0;
  while (const uint32_t tag = in.ReadTag()) {
    if (tag == kOperations && ++count > max) return count;
    if (!WireFormatLite::SkipField(&in, tag)) return -1;
  }
  return in.ConsumedEntireMessage() ? count : -1;
}

}  // namespace rpcbench::grpcpp

namespace grpc {

Status SerializationTraits<rpcbench::batch::v1::Batch, void>::Deserialize(ByteBuffer* buffer,
                                                                          rpcbench::batch::v1::Batch* batch) {
  // An operation takes at least two bytes, so a short message can't have too many.
  using rpcbench::stack::kMaxBatch;
  const bool short_one = buffer->Length() / 2 <= static_cast<size_t>(kMaxBatch);
  if (!short_one && rpcbench::grpcpp::count_operations(*buffer, kMaxBatch) > kMaxBatch) {
    rpcbench::grpcpp::mark_refused(*batch, false);
    buffer->Clear();
    return Status::OK;
  }
  if (!GenericDeserialize<ProtoBufferReader, rpcbench::batch::v1::Batch>(buffer, batch).ok()) {
    rpcbench::grpcpp::mark_refused(*batch, true);
  }
  return Status::OK;
}

}  // namespace grpc
