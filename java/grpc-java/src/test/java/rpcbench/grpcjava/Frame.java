package rpcbench.grpcjava;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** A frame of HTTP/2, for peers that do what no library does. */
record Frame(int type, int flags, int stream, byte[] payload) {
  static final int HEADERS = 1; // types
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int ACK = 1; // flags
  static final int END_HEADERS = 4;
  static final int REFUSED_STREAM = 7; // an error
  static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  static Frame read(DataInputStream in) throws IOException {
    int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    return new Frame(type, flags, stream, in.readNBytes(length));
  }

  void write(DataOutputStream out) throws IOException {
    out.writeShort(payload.length >> 8);
    out.writeByte(payload.length);
    out.writeByte(type);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(payload);
    out.flush();
  }

  boolean isAck() {
    return (flags & ACK) != 0;
  }
}
