package rpcbench.android.stack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The libraries that are measured, with the versions that the app was built with. */
public final class Libraries {
  private static final Properties NAMES = read();

  private Libraries() {}

  /** Returns the libraries of grpc or codec, or the app's own version. */
  public static String of(String key) {
    return NAMES.getProperty(key);
  }

  private static Properties read() {
    Properties names = new Properties();
    try (InputStream in = Libraries.class.getResourceAsStream("libraries.properties")) {
      names.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }
}
