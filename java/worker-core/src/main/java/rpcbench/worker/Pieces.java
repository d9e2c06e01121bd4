package rpcbench.worker;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import rpcbench.payload.Gzip;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Piece;

/** Sends files. */
final class Pieces {
  private static final int PIECE_BYTES_MAX = 1 << 20;

  private final Events events;

  Pieces(Events events) {
    this.events = events;
  }

  /** Sends the rest of content as a file with a name, without a folder. */
  void send(String name, InputStream content) throws IOException {
    for (byte[] data = Gzip.upTo(PIECE_BYTES_MAX, content);
        data.length > 0;
        data = Gzip.upTo(PIECE_BYTES_MAX, content)) {
      Piece piece = Piece.newBuilder().setName(name).setData(ByteString.copyFrom(data)).build();
      events.send(Event.newBuilder().setPiece(piece).build());
    }
  }
}
