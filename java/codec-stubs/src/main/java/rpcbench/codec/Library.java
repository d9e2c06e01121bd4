package rpcbench.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Names the measured libraries, with the versions that a worker was built with. */
public final class Library {
  private Library() {}

  /** Reads the file library.properties in the package of a class. */
  public static String beside(Class<?> main) {
    Properties properties = new Properties();
    try (InputStream in = main.getResourceAsStream("library.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("library");
  }
}
