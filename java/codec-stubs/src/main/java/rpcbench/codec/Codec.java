package rpcbench.codec;

import java.util.Map;

/** Turns messages into bytes and back. */
@FunctionalInterface
public interface Codec {
  /** Returns the operations on one message. */
  Operations bind(Content content);

  /** The measured operations. They are called by one thread at a time. */
  interface Operations {
    /** Returns the object that {@link #encode} encodes. */
    Object object();

    /** Encodes to a new array. */
    byte[] encode() throws Exception;

    /** Decodes to a new object. */
    Object decode(byte[] encoded) throws Exception;

    /**
     * Returns the fields of a message in the codec's form, by their names in {@link Plain}, to name a field that was lost.
     * Returns null for anything but a message.
     */
    default Map<String, Object> fields(Object message) {
      return Plain.fields(message);
    }

    /** Reports whether encodings are already gzipped. */
    default boolean gzipped() {
      return false;
    }

    /** Returns the length of an encoding before gzip. */
    default int plainBytes(byte[] encoded) throws Exception {
      return encoded.length;
    }
  }
}
