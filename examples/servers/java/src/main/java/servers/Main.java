package servers;

import com.google.protobuf.ByteString;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;

/** A server of gRPC's BenchmarkService with grpc-java on Netty: Main HOST PORT. */
public final class Main extends BenchmarkServiceGrpc.BenchmarkServiceImplBase {
  public static void main(String[] args) throws Exception {
    InetSocketAddress address = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
    Server server =
        NettyServerBuilder.forAddress(address, InsecureServerCredentials.create()).addService(new Main()).build();
    server.start();
    System.out.println("listening on " + address);
    server.awaitTermination();
  }

  @Override
  public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
    responses.onNext(answer(request));
    responses.onCompleted();
  }

  @Override
  public StreamObserver<SimpleRequest> streamingCall(StreamObserver<SimpleResponse> responses) {
    return new StreamObserver<>() {
      @Override
      public void onNext(SimpleRequest request) {
        responses.onNext(answer(request));
      }

      @Override
      public void onError(Throwable cancelled) {
        responses.onError(cancelled);
      }

      @Override
      public void onCompleted() {
        responses.onCompleted();
      }
    };
  }

  private static SimpleResponse answer(SimpleRequest request) {
    ByteString body = ByteString.copyFrom(new byte[request.getResponseSize()]);
    return SimpleResponse.newBuilder().setPayload(Payload.newBuilder().setBody(body)).build();
  }
}
