package rpcbench.httpjson;

import java.io.IOException;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;

/**
 * A body that OkHttp sends once. It would otherwise make a call again that was answered with 503 and Retry-After: 0, whatever its
 * client is set to.
 */
final class OnceBody extends RequestBody {
  private final byte[] bytes;
  private final MediaType type;

  OnceBody(byte[] bytes, MediaType type) {
    this.bytes = bytes;
    this.type = type;
  }

  @Override
  public MediaType contentType() {
    return type;
  }

  @Override
  public long contentLength() {
    return bytes.length;
  }

  @Override
  public void writeTo(BufferedSink sink) throws IOException {
    sink.write(bytes);
  }

  @Override
  public boolean isOneShot() {
    return true;
  }
}
