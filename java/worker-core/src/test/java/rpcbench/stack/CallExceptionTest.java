package rpcbench.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class CallExceptionTest {
  private static final int MAX_CHARS = 4096;

  @Test
  void aLongMessageIsCutBetweenCharacters() {
    Exception cause = new Exception();
    CallException whole = new CallException(Code.INTERNAL, "a".repeat(MAX_CHARS), cause);
    assertEquals("a".repeat(MAX_CHARS), whole.getMessage());
    assertSame(cause, whole.getCause());
    CallException cut = new CallException(Code.INTERNAL, "a".repeat(8 << 20), new Exception("a".repeat(8 << 20)));
    assertEquals("a".repeat(MAX_CHARS) + "… (cut; 8388608 characters in all)", cut.getMessage());
    assertNull(cut.getCause());
    String pair = "a".repeat(MAX_CHARS - 1) + "😀";
    assertEquals("a".repeat(MAX_CHARS - 1) + "… (cut; 4097 characters in all)", new CallException(Code.INTERNAL, pair).getMessage());
    assertNull(new CallException(Code.INTERNAL, null).getMessage());
  }
}
