// Streams that slots share, with a library that the test plays.
#include "grpc/echo.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "grpc/messages.h"

namespace rpcbench::grpcpp {
namespace {

using Log = std::vector<std::string>;

// Notes what is asked of it, and completes nothing by itself.
class Library final : public Api<Singles> {
 public:
  Log log;
  StreamEvents* events = nullptr;
  Response* reply = nullptr;

  std::unique_ptr<StreamRpc<Singles>> both(grpc::ClientContext&, StreamEvents& to) override {
    events = &to;
    return std::make_unique<Rpc>(*this);
  }
  std::unique_ptr<stack::Caller> unary(const Link&, const stack::Call&, int) override {
    throw std::logic_error("unary");
  }
  std::unique_ptr<StreamRpc<Singles>> up(grpc::ClientContext&, Response&, StreamEvents&) override {
    throw std::logic_error("up");
  }
  std::unique_ptr<StreamRpc<Singles>> down(grpc::ClientContext&, const Request&, StreamEvents&) override {
    throw std::logic_error("down");
  }
  std::unique_ptr<StreamRpc<Singles>> both_ways(grpc::ClientContext&, StreamEvents&) override {
    throw std::logic_error("both_ways");
  }

 private:
  class Rpc final : public StreamRpc<Singles> {
   public:
    explicit Rpc(Library& library) : library_(library) {}
    void start() override { library_.log.push_back("start"); }
    void read(Response& into) override { library_.reply = &into; }
    void write(const Request&, bool) override { library_.log.push_back("write"); }
    void writes_done() override { library_.log.push_back("writes_done"); }

   private:
    Library& library_;
  };
};

class Listener final : public stack::Listener {
 public:
  explicit Listener(Log& log) : log_(log) {}
  void done(const stack::Failure* failure) override { log_.push_back(failure == nullptr ? "done" : failure->text()); }

 private:
  Log& log_;
};

stack::Call one_call_per_stream() {
  stack::Call call;
  call.kind = stack::kind::kPingPong;
  call.request = std::make_shared<std::string>();
  call.streams = 1;
  call.per_stream = 1;
  return call;
}

class EchoTest : public ::testing::Test {
 protected:
  // Starts a call whose message is being written.
  void SetUp() override {
    caller_->start(listener_);
    library_.events->on_open();
    ASSERT_EQ(library_.log, (Log{"start", "write"}));
    library_.log.clear();
  }

  void TearDown() override {
    library_.events->on_read(false);
    library_.events->on_done(grpc::Status::OK);
    EXPECT_EQ(library_.log.back(), "done");
    EXPECT_EQ(caller_->after(), nullptr);
  }

  Library library_;
  Link link_;
  Echo<Singles> echo_{library_, link_, one_call_per_stream()};
  std::unique_ptr<stack::Caller> caller_ = echo_.caller(0);
  Listener listener_{library_.log};
};

TEST_F(EchoTest, AStreamIsHalfClosedAfterItsLastEcho) {
  library_.events->on_write(true);
  EXPECT_EQ(library_.log, Log{});
  library_.events->on_read(true);
  EXPECT_EQ(library_.log, Log{"writes_done"});
  library_.events->on_write(true);
  EXPECT_EQ(library_.log, Log{"writes_done"});
}

TEST_F(EchoTest, AnEchoBeforeTheEndOfItsWriteLeavesOneWritePending) {
  library_.events->on_read(true);
  EXPECT_EQ(library_.log, Log{});
  library_.events->on_write(true);
  EXPECT_EQ(library_.log, Log{"writes_done"});
  library_.events->on_write(true);
  EXPECT_EQ(library_.log, Log{"writes_done"});
}

// A read that is not ok is the last event but on_done, and the library may have freed the stream before that.
TEST(EndedStreamTest, ACallThatComesAfterTheLastReadIsNotWritten) {
  Library library;
  Link link;
  stack::Call call = one_call_per_stream();
  call.per_stream = 0;
  Echo<Singles> echo(library, link, call);
  Log first_log;
  Log second_log;
  Listener first_listener(first_log);
  Listener second_listener(second_log);
  const std::unique_ptr<stack::Caller> first = echo.caller(0);
  const std::unique_ptr<stack::Caller> second = echo.caller(1);
  first->start(first_listener);
  library.events->on_open();
  library.events->on_write(true);
  library.events->on_read(false);
  second->start(second_listener);
  EXPECT_EQ(library.log, (Log{"start", "write"}));
  library.events->on_done(grpc::Status::OK);
  EXPECT_EQ(first_log, Log{"UNAVAILABLE: the server ended the stream"});
  EXPECT_EQ(second_log, Log{"UNAVAILABLE: the server ended the stream"});
}

}  // namespace
}  // namespace rpcbench::grpcpp
