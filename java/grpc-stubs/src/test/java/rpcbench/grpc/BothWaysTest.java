package rpcbench.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import rpcbench.stack.Held;

class BothWaysTest {
  private static final class Echo implements Responder<String, String> {
    @Override
    public String respond(String request) {
      return request;
    }

    @Override
    public long bytes(String answer) {
      return answer.length();
    }

    @Override
    public Held held() {
      throw new UnsupportedOperationException();
    }
  }

  /** Notes what is sent to it, and whether the call's own thread sent it, which is the one that makes it. */
  private static final class Client extends ServerCallStreamObserver<String> {
    private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    private final Thread own = Thread.currentThread();

    private void note(String what) {
      sent.add(Thread.currentThread() == own ? what + " of the call's own thread" : what);
    }

    @Override
    public void onNext(String message) {
      note(message);
    }

    @Override
    public void onCompleted() {
      note("end");
    }

    @Override
    public void onError(Throwable failure) {
      note(failure.toString());
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void setCompression(String compression) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void request(int count) {}
  }

  @Test
  void theCallsOwnThreadDoesNotOvertakeAnswersWithTheEnd() throws Exception {
    Client client = new Client();
    BothWays<String, String> stream = new BothWays<>(new Echo(), client, 2);
    stream.onNext("answer");
    assertEquals("answer", client.sent.take());
    assertEquals("answer", client.sent.take());
    stream.onCompleted();
    assertEquals("end", client.sent.take());
  }

  @Test
  void theEndBehindTheRequestWaitsForAllAnswers() throws Exception {
    Client client = new Client();
    BothWays<String, String> stream = new BothWays<>(new Echo(), client, 2);
    stream.onNext("answer");
    stream.onCompleted();
    assertEquals("answer", client.sent.take());
    assertEquals("answer", client.sent.take());
    assertEquals("end", client.sent.take());
  }

  @Test
  void aStreamWithoutARequestEndsWithoutAnAnswer() throws Exception {
    Client client = new Client();
    BothWays<String, String> stream = new BothWays<>(new Echo(), client, 2);
    stream.onCompleted();
    assertEquals("end", client.sent.take());
  }
}
