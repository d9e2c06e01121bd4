#include "grpc/messages.h"

#include <gtest/gtest.h>

#include <string>

namespace rpcbench::grpcpp {
namespace {

// Decodes a reply, as the library does, into a response that still holds the previous one.
template <typename T>
void expect_reply_to_come(const typename T::Response& reply) {
  typename T::Response response = reply;
  T::await(response);
  EXPECT_FALSE(T::came(response)) << "no reply came";
  ASSERT_TRUE(response.ParseFromString(reply.SerializeAsString()));
  EXPECT_TRUE(T::came(response)) << "a reply of " << reply.ByteSizeLong() << " bytes came";
}

TEST(Messages, AReplyThatDidNotComeIsNone) {
  Singles::Response single;
  expect_reply_to_come<Singles>(single);
  single.mutable_payload()->set_body("reply");
  expect_reply_to_come<Singles>(single);

  Batches::Response batch;
  expect_reply_to_come<Batches>(batch);
  batch.add_operations()->set_payload("reply");
  expect_reply_to_come<Batches>(batch);
}

}  // namespace
}  // namespace rpcbench::grpcpp
