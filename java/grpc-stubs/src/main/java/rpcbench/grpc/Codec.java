package rpcbench.grpc;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import rpcbench.stack.CallException;
import rpcbench.stack.Info;
import rpcbench.stack.OptionValues;

/** How a process represents the messages of BenchmarkService: generated classes, or bytes that are never encoded or decoded. */
public enum Codec {
  PROTO,
  BYTES;

  /** Describes the option, for clients and, if server is true, for servers. */
  public static Info.Option option(boolean server) {
    String help = "proto, or bytes: all messages except batches are byte buffers, neither encoded nor decoded.";
    return Info.Option.word("codec", help, true, server, List.of("proto", "bytes"));
  }

  /** Reads the option; PROTO without it. */
  static Codec read(Map<String, String> given) throws CallException {
    return valueOf(new OptionValues(given).word(option(true)).toUpperCase(Locale.ROOT));
  }
}
