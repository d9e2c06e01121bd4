package rpcbench.codec;

import java.util.Map;

/** Turns messages into bytes and back. */
@FunctionalInterface
public interface Codec {
  /** Makes ready for one message. */
  Operations bind(Content content);

  /** What is measured. Called by one thread at a time. */
  interface Operations {
    /** What {@link #encode} encodes. */
    Object object();

    /** Encodes to a new array. */
    byte[] encode() throws Exception;

    /** Decodes to a new object. */
    Object decode(byte[] encoded) throws Exception;

    /**
     * The fields of a message as the codec has it, by their names in {@link Plain}, or null of what is no message: to
     * name the one that was lost.
     */
    default Map<String, Object> fields(Object message) {
      return Plain.fields(message);
    }

    /** Whether encodings are gzipped already. */
    default boolean gzipped() {
      return false;
    }

    /** Bytes of an encoding before gzip. */
    default int plainBytes(byte[] encoded) throws Exception {
      return encoded.length;
    }
  }
}
