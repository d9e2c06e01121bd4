package rpcbench.grpc;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import rpcbench.stack.CallException;
import rpcbench.stack.Info;
import rpcbench.stack.OptionValues;

/** What the messages of BenchmarkService are in a process: generated classes, or bytes that nothing encodes or decodes. */
public enum Codec {
  PROTO,
  BYTES;

  private static final String OPTION = "codec";
  private static final List<String> WORDS = List.of("proto", "bytes");

  /** Describes the option that chooses one, of a client and, if it serves, of a server. */
  public static Info.Option option(boolean server) {
    String help = "proto, or bytes, whose messages but batches are byte buffers that nothing encodes or decodes; default proto.";
    return new Info.Option(OPTION, help, true, server);
  }

  /** Reads the one that is given. */
  static Codec read(Map<String, String> given) throws CallException {
    return valueOf(new OptionValues(given).word(OPTION, WORDS).toUpperCase(Locale.ROOT));
  }
}
