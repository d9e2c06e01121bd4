#include "grpc/bounded_batch.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include "stack/bounds.h"

namespace rpcbench::grpcpp {
namespace {

using batch::v1::Batch;

// Encodes a number of empty operations, two bytes each.
grpc::ByteBuffer operations(int64_t count) {
  std::string bytes;
  for (int64_t i = 0; i < count; ++i) {
    bytes += std::string("\x0a\x00", 2);
  }
  const grpc::Slice slice(bytes);
  return {&slice, 1};
}

Batch decoded(grpc::ByteBuffer bytes) {
  Batch batch;
  EXPECT_TRUE(grpc::SerializationTraits<Batch>::Deserialize(&bytes, &batch).ok());
  return batch;
}

TEST(BoundedBatchTest, AsManyOperationsAsAMessageMayHaveAreRead) {
  const Batch batch = decoded(operations(stack::kMaxBatch));
  EXPECT_EQ(batch.operations_size(), stack::kMaxBatch);
  EXPECT_TRUE(refusal_of(batch).ok());
}

TEST(BoundedBatchTest, OneMoreIsRefusedBeforeItIsDecoded) {
  const Batch batch = decoded(operations(stack::kMaxBatch + 1));
  EXPECT_EQ(batch.operations_size(), 0);
  EXPECT_EQ(refusal_of(batch).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST(BoundedBatchTest, CountingStopsAtTheMaximum) {
  grpc::ByteBuffer bytes = operations(1000);
  EXPECT_EQ(count_operations(bytes, 10), 11);
  EXPECT_EQ(count_operations(bytes, 1000), 1000);
}

TEST(BoundedBatchTest, WhatIsNoProtobufIsRefused) {
  const grpc::Slice slice(std::string("\x0a\x7f only", 7));
  const Batch batch = decoded(grpc::ByteBuffer(&slice, 1));
  EXPECT_EQ(refusal_of(batch).error_code(), grpc::StatusCode::INTERNAL);
}

TEST(BoundedBatchTest, ABatchComesThroughAsItIs) {
  Batch sent;
  sent.set_response_bytes(7);
  for (uint64_t id = 1; id <= 3; ++id) {
    sent.add_operations()->set_id(id);
  }
  grpc::ByteBuffer bytes;
  bool own = false;
  ASSERT_TRUE(grpc::SerializationTraits<Batch>::Serialize(sent, &bytes, &own).ok());
  EXPECT_EQ(decoded(bytes).SerializeAsString(), sent.SerializeAsString());
}

}  // namespace
}  // namespace rpcbench::grpcpp
