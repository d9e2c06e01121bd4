// Packages without threads or I/O.
#include <gtest/gtest.h>
#include <openssl/sha.h>

#include "control/text.h"
#include "fixture.h"
#include "payload/payload.h"
#include "permission/permission.h"
#include "stack/address.h"
#include "stack/bounds.h"
#include "stack/replies.h"

namespace rpcbench {
namespace {

std::string hex(const std::string& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

std::string sha256(const std::string& bytes) {
  std::string sum(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
         reinterpret_cast<unsigned char*>(sum.data()));
  return sum;
}

TEST(PayloadTest, HasTheKnownBytes) {
  const auto examples = test::objects(test::fixture("stack/testdata/payload.json"));
  ASSERT_GT(examples.size(), 5U);
  for (const std::string& example : examples) {
    const std::string made = payload::of(test::value(example, "kind"), std::stoull(test::value(example, "seed")),
                                         std::stoull(test::value(example, "n")));
    EXPECT_EQ(hex(made.substr(0, 32)), test::value(example, "first_32_bytes")) << example;
    EXPECT_EQ(hex(sha256(made)), test::value(example, "sha256")) << example;
  }
}

TEST(PermissionTest, PatternsMatchAsInGo) {
  const permission::Permissions some({"root:alice", "root:bob:$"}, {"root:alice:phone"});
  EXPECT_TRUE(some.allows("root:alice"));
  EXPECT_TRUE(some.allows("root:alice:tablet"));
  EXPECT_FALSE(some.allows("root:alice:phone"));
  EXPECT_FALSE(some.allows("root:alice:phone:app"));
  EXPECT_FALSE(some.allows("root:alicia"));
  EXPECT_TRUE(some.allows("root:bob"));
  EXPECT_FALSE(some.allows("root:bob:phone"));
  EXPECT_TRUE(permission::Permissions({"..."}, {}).allows("anybody"));
  for (const char* wrong : {"", "root:*", "a::b", "$", "a b", ":a", "a:..."}) {
    EXPECT_THROW(permission::Permissions({wrong}, {}), std::invalid_argument) << wrong;
  }
}

TEST(PermissionTest, ANameIsThatOfExactlyOneUri) {
  std::string name;
  EXPECT_TRUE(permission::name_of({"spiffe://other", "rpcbench:root%3Aalice"}, &name));
  EXPECT_EQ(name, "root:alice");
  EXPECT_FALSE(permission::name_of({}, &name));
  EXPECT_FALSE(permission::name_of({"rpcbench:a", "rpcbench:b"}, &name));
  for (const char* wrong :
       {"rpcbench:", "rpcbench:a%2", "rpcbench:a%zz", "rpcbench://host", "rpcbench:a?b", "rpcbench:a#b"}) {
    EXPECT_FALSE(permission::name_of({wrong}, &name)) << wrong;
  }
}

TEST(AddressTest, ReadsWhatItWrites) {
  for (const char* text : {"127.0.0.1:80", "[::1]:0", ":8080", "localhost:65535"}) {
    EXPECT_EQ(stack::Address::parse(text).text(), text);
  }
  for (const char* wrong : {"", "localhost", "localhost:", "::1:80", "a:65536", "a:-1", "a:8 ", "a:port"}) {
    EXPECT_THROW(stack::Address::parse(wrong), stack::Error) << wrong;
  }
}

TEST(TextTest, HoldsOnlyUtf8WithoutControlCharacters) {
  EXPECT_EQ(control::clean("plain, größer, 日本, 🙂"), "plain, größer, 日本, 🙂");
  EXPECT_EQ(control::clean("a\nb\x1b[31m"), "a b [31m");
  EXPECT_EQ(control::clean("\xff\xc0\xaf\xed\xa0\x80"
                           "cut \xe6\x97"),
            "??????cut ??");
}

TEST(BoundsTest, NameWhatIsTooMuch) {
  EXPECT_EQ(stack::batch_refusal("unary", 100'000, 600), "");
  EXPECT_NE(stack::batch_refusal("unary", 100'001, 0), "");
  EXPECT_NE(stack::batch_refusal("unary", 100'000, 700), "");
  EXPECT_NE(stack::batch_refusal("download", 1, 1), "");
  EXPECT_EQ(stack::burst_refusal(540'000, 100), "");
  EXPECT_NE(stack::burst_refusal(540'001, 1), "");
  EXPECT_NE(stack::burst_refusal(2, 64 << 20), "");
  EXPECT_EQ(stack::reply_refusal("response_size", 0, 64 << 20), "");
  EXPECT_NE(stack::reply_refusal("response_size", 0, (64 << 20) + 1), "");
  EXPECT_NE(stack::reply_refusal("response_size", 0, -1), "");
  EXPECT_NE(stack::reply_refusal("response_bytes", 100'000, 1'000), "");
}

// A service for tests.
struct Plain {
  struct Response {
    std::vector<std::pair<uint64_t, std::string>> answers;
  };
  static int64_t count(const Response& response) { return static_cast<int64_t>(response.answers.size()); }
  static uint64_t id(const Response& response, int64_t i) {
    return response.answers[static_cast<std::size_t>(i)].first;
  }
  static const std::string& payload(const Response& response, int64_t i) {
    return response.answers[static_cast<std::size_t>(i)].second;
  }
};

stack::Call call_of(const char* kind, int64_t batch, int64_t messages) {
  stack::Call call;
  call.kind = kind;
  call.batch = batch;
  call.messages = messages;
  call.response_bytes = 2;
  call.expected = std::make_shared<const std::string>("ok");
  return call;
}

std::string verdict(stack::Replies<Plain>& replies) {
  replies.end();
  const stack::Failure* wrong = replies.verify();
  return wrong == nullptr ? "" : wrong->message;
}

TEST(RepliesTest, AReplyHasItsBytes) {
  stack::Replies<Plain> replies(call_of("unary", 0, 0), 0);
  const Plain::Response good{{{0, "ok"}}};
  const Plain::Response longer{{{0, "long"}}};
  const Plain::Response other{{{0, "ko"}}};
  replies.begin();
  EXPECT_TRUE(replies.add(good));
  EXPECT_EQ(verdict(replies), "");
  replies.begin();
  replies.add(longer);
  EXPECT_EQ(verdict(replies), "reply 1 has 4 bytes, expected 2");
  replies.begin();
  replies.add(other);
  EXPECT_NE(verdict(replies), "");
  replies.begin();
  EXPECT_EQ(verdict(replies), "0 replies came, expected 1");
}

TEST(RepliesTest, EveryOperationIsAnsweredOnce) {
  stack::Replies<Plain> replies(call_of("unary", 2, 0), 3);
  const auto with = [&replies](uint64_t first, uint64_t second) {
    replies.begin();
    const uint64_t from = replies.first_id(0);
    const Plain::Response response{{{from + first, "ok"}, {from + second, "ok"}}};
    replies.add(response);
    return verdict(replies);
  };
  EXPECT_EQ(with(0, 1), "");
  EXPECT_EQ(with(1, 0), "");
  EXPECT_NE(with(0, 0), "");
  EXPECT_NE(with(0, 2), "") << "an id of the next call";
  replies.begin();
  EXPECT_EQ(replies.first_id(0) >> 40, 3U) << "slots have ids of their own";
}

TEST(RepliesTest, OfABurstEachReplyAnswersItsMessage) {
  stack::Replies<Plain> replies(call_of("burst", 1, 2), 0);
  replies.begin();
  const Plain::Response first{{{replies.first_id(0), "xx"}}};
  const Plain::Response second{{{replies.first_id(1), "ok"}}};
  EXPECT_FALSE(replies.add(first)) << "bytes are checked of the last alone";
  EXPECT_TRUE(replies.add(second));
  EXPECT_EQ(verdict(replies), "");
  replies.begin();
  replies.add(second);
  replies.add(first);
  EXPECT_NE(verdict(replies), "");
}

}  // namespace
}  // namespace rpcbench
