package rpcbench.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import rpcbench.payload.Gzip;
import rpcbench.payload.Payload;

class GzipCoderTest {
  private final GzipCoder coder = new GzipCoder();

  /** A reused compressor writes the same bytes as a new stream, whatever it packed before. */
  @Test
  void aCompressorThatIsKeptWritesWhatANewOneDoes() throws IOException {
    for (int length : new int[] {100_000, 0, 1, 30_000, 100_000}) {
      byte[] plain = Payload.of("json", length, length);
      byte[] packed = coder.pack(plain);
      byte[] want = Gzip.pack(plain);
      want[9] = packed[9]; // the system, for which older JDKs have another value
      assertArrayEquals(want, packed);
      assertArrayEquals(plain, coder.unpack(packed));
      assertArrayEquals(plain, Gzip.unpack(packed, length + 1));
    }
  }

  @Test
  void whatIsSpoiledIsRefusedAndTheNextIsRead() throws IOException {
    byte[] plain = Payload.of("json", 7, 5000);
    byte[] packed = coder.pack(plain);
    for (int at : new int[] {0, 10, packed.length / 2, packed.length - 8, packed.length - 1}) {
      byte[] spoiled = packed.clone();
      spoiled[at] ^= 0x55;
      assertThrows(IOException.class, () -> coder.unpack(spoiled), "byte " + at);
      assertArrayEquals(plain, coder.unpack(packed));
    }
    for (int length : new int[] {0, 17, 18, packed.length - 9, packed.length - 1}) {
      assertThrows(IOException.class, () -> coder.unpack(Arrays.copyOf(packed, length)), length + " bytes");
    }
  }
}
