package rpcbench.android.stack;

import java.util.List;
import rpcbench.httpjson.OkHttpStack;
import rpcbench.stack.Stack;

/** All stacks of the app. */
public final class Stacks {
  public static final String GRPC = "android-grpc-okhttp";
  public static final String HTTP = "android-http-json-okhttp";
  public static final String CODEC = "android-codec";

  private Stacks() {}

  /** Makes them anew, for one worker. */
  public static List<Stack> make() {
    return List.of(
        new GrpcOkHttp(), Renamed.of(new OkHttpStack(), HTTP), Codecs.stack(CODEC));
  }
}
