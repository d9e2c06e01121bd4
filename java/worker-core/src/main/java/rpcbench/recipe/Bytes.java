package rpcbench.recipe;

import java.util.Arrays;

/** A growing array of bytes. */
final class Bytes {
  private static final int VARINT_BYTES_MAX = 10;

  private byte[] bytes = new byte[256];
  private int size;

  int size() {
    return size;
  }

  byte[] taken() {
    return Arrays.copyOf(bytes, size);
  }

  void add(int one) {
    room(1);
    bytes[size++] = (byte) one;
  }

  void add(byte[] more) {
    room(more.length);
    System.arraycopy(more, 0, bytes, size, more.length);
    size += more.length;
  }

  void ascii(String text) {
    room(text.length());
    for (int i = 0; i < text.length(); i++) {
      bytes[size++] = (byte) text.charAt(i);
    }
  }

  void varint(long v) {
    for (; (v & ~0x7FL) != 0; v >>>= 7) {
      add((int) v & 0x7F | 0x80);
    }
    add((int) v);
  }

  /** Adds a number's lowest bytes, the lowest first. */
  void fixed(long v, int width) {
    for (int i = 0; i < width; i++) {
      add((int) (v >>> 8 * i));
    }
  }

  /** Inserts the length of what follows a position in front of it. */
  void insertLength(int from) {
    int length = size - from;
    int width = 1;
    for (int rest = length >>> 7; rest != 0; rest >>>= 7) {
      width++;
    }
    room(VARINT_BYTES_MAX);
    System.arraycopy(bytes, from, bytes, from + width, length);
    size = from;
    varint(length);
    size += length;
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, more)));
    }
  }
}
