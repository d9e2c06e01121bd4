package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rpcbench.worker.v1.Worker.Command;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Mark;
import rpcbench.worker.v1.Worker.VirtualMachine;

/** Starts the launcher as the driver does: a process with pipes. */
class LauncherTest {
  @TempDir private Path folder;
  private Process process;
  private String temporary; // the environment's TMPDIR; null is none

  /** Puts next to the launcher what the build would: a jar whose manifest names main class and class path. */
  @BeforeEach
  void install() throws IOException {
    Files.copy(Path.of("src/worker/worker"), folder.resolve("worker"));
    assertTrue(folder.resolve("worker").toFile().setExecutable(true));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, EchoMain.class.getName());
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath());
    Files.createDirectory(folder.resolve("lib"));
    Path jar = folder.resolve("lib").resolve("worker.jar");
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
  }

  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(entry -> Path.of(entry).toUri().toString())
        .collect(Collectors.joining(" "));
  }

  @AfterEach
  void kill() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  private void start(String javaHome, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of(folder.resolve("worker").toString()));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", javaHome);
    builder.environment().remove("TMPDIR");
    if (temporary != null) {
      builder.environment().put("TMPDIR", temporary);
    }
    builder.redirectError(folder.resolve("stderr").toFile());
    process = builder.start();
  }

  private String stderr() throws IOException {
    return Files.readString(folder.resolve("stderr"));
  }

  private Event mark() throws IOException {
    Command mark = Command.newBuilder().setMark(Mark.getDefaultInstance()).build();
    mark.writeDelimitedTo(process.getOutputStream());
    process.getOutputStream().flush();
    return Event.parseDelimitedFrom(process.getInputStream());
  }

  private int end() throws Exception {
    process.getOutputStream().close();
    return process.waitFor();
  }

  @Test
  void whatTheMachinePrintsIsNotInTheProtocol() throws Exception {
    String[] noisy = {"-Xmx64m", "-verbose:gc", "-XX:+PrintFlagsFinal", "-XX:+PrintCommandLineFlags"};
    start(System.getProperty("java.home"), noisy);
    InputStream events = process.getInputStream();
    assertEquals("echo", Event.parseDelimitedFrom(events).getHello().getStacks(0).getName());
    assertTrue(mark().hasSnapshot());
    assertEquals(0, end());
    assertEquals(-1, events.read());
    assertTrue(stderr().contains("MaxHeapSize"), "the options did not reach the machine");
  }

  /** The launcher's own options say nothing about a machine, and name folders. */
  @Test
  void helloSaysWhatTheMachineWasTold() throws Exception {
    start(System.getProperty("java.home"), "-Xmx64m", "-XX:+UseSerialGC");
    VirtualMachine told = Event.parseDelimitedFrom(process.getInputStream()).getHello().getVirtualMachine();
    assertEquals("Serial", told.getCollector());
    assertEquals(List.of("-Xmx64m", "-XX:+UseSerialGC"), told.getArgumentsList());
    assertTrue(told.getMaxHeapBytes() > 48 << 20 && told.getMaxHeapBytes() <= 64 << 20, told.toString());
    assertEquals(0, end());
  }

  /** Dumps contain keys, and sockets admit everyone who can open them. */
  @Test
  void whatItMakesIsItsUsersAlone() throws Exception {
    Path made = folder.resolve("gc.log");
    start(System.getProperty("java.home"), "-Xmx64m", "-Xlog:gc:file=" + made);
    assertTrue(Event.parseDelimitedFrom(process.getInputStream()).hasHello());
    assertEquals(0, end());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
  }

  /** Java itself does not look at TMPDIR. */
  @Test
  void temporaryFilesGoWhereTheEnvironmentSays() throws Exception {
    temporary = folder.resolve("temporary files").toString();
    start(System.getProperty("java.home"), "-Xmx64m", "-XshowSettings:properties");
    assertTrue(Event.parseDelimitedFrom(process.getInputStream()).hasHello());
    assertEquals(0, end());
    assertTrue(stderr().contains("java.io.tmpdir = " + temporary + "\n"), stderr());
  }

  /** A killall, or the stop of a systemd unit, reaches workers too. The end of the input ends them. */
  @Test
  void theDriverDecidesWhenItEnds() throws Exception {
    start(System.getProperty("java.home"));
    assertTrue(Event.parseDelimitedFrom(process.getInputStream()).hasHello());
    for (String signal : List.of("-INT", "-TERM", "-HUP")) {
      new ProcessBuilder("kill", signal, Long.toString(process.pid())).inheritIO().start().waitFor();
      for (int i = 0; i < 100; i++) { // a machine that ends may still answer a few
        Event event = mark();
        assertTrue(event != null && event.hasSnapshot(), signal);
      }
    }
    assertEquals(0, end());
  }

  @Test
  void brokenInputIsNotAGoodEnd() throws Exception {
    start(System.getProperty("java.home"));
    process.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
    assertEquals(1, end());
    assertTrue(stderr().startsWith("the worker: read a command: "), stderr());
  }

  @Test
  void aMachineWithoutJavaIsToldSo() throws Exception {
    start("/nonexistent");
    assertEquals(3, end());
    assertTrue(stderr().endsWith("there is no /nonexistent/bin/java: install a JDK of version 17 or later, or let "
        + "JAVA_HOME say where one is\n"), stderr());
  }

  /** Java compiles and runs a source file that it finds before -jar, and reads options from a file after an @. */
  @Test
  void aWordThatIsNoOptionIsRefused() throws Exception {
    Path canary = folder.resolve("canary");
    Path source = Files.writeString(folder.resolve("Evil.java"),
        "class Evil { public static void main(String[] a) throws Exception { new java.io.File(\"" + canary
            + "\").createNewFile(); } }");
    Path options = Files.writeString(folder.resolve("options"), source.toString());
    for (String word : List.of(source.toString(), "@" + options, "")) {
      start(System.getProperty("java.home"), "-Xmx64m", word);
      assertEquals(2, end());
      assertTrue(stderr().endsWith("/worker: " + word + " is no option of a JVM\n"), stderr());
      assertTrue(Files.notExists(canary), word);
    }
  }

  /** Anything else with descriptor 3, such as a file of the JVM's own, must stay unchanged. */
  @Test
  void withoutTheLauncherNoFileIsTouched() throws Exception {
    Path precious = Files.writeString(folder.resolve("precious"), "gold");
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", "exec 3<\"$0\" \"$1\" -jar \"$2\"", precious.toString(),
        System.getProperty("java.home") + "/bin/java", folder.resolve("lib").resolve("worker.jar").toString());
    builder.redirectError(folder.resolve("stderr").toFile());
    process = builder.start();
    assertEquals(-1, process.getInputStream().read());
    assertEquals(1, process.waitFor());
    assertEquals("gold", Files.readString(precious));
    assertTrue(stderr().startsWith("start the worker by its launcher"), stderr());
  }

  /** JAVA_HOME's JDK is used if it is new enough; without such a JDK there is a message of one sentence. */
  @Test
  void aWorkerThatNeedsALaterJdkLooksForOne() throws Exception {
    int own = Runtime.version().feature();
    Files.writeString(folder.resolve("jdk"), own + "\n");
    start(System.getProperty("java.home"));
    String runtime = Event.parseDelimitedFrom(process.getInputStream()).getHello().getRuntime();
    assertTrue(runtime.startsWith("java " + own), runtime);
    assertEquals(0, end());

    Files.writeString(folder.resolve("jdk"), "999\n");
    start(System.getProperty("java.home"));
    assertEquals(3, process.waitFor());
    assertTrue(stderr().contains("there is no JDK of version 999 or later"), stderr());
  }

  /** Another JDK than JAVA_HOME's is one that its file release shows. */
  @Test
  void theVersionIsReadFromTheJdksFile() throws Exception {
    Path java = jdk("998.0.1", "echo \"found $0\" >&2");
    Files.writeString(folder.resolve("jdk"), "998\n");
    start(java.getParent().getParent().toString());
    assertEquals(0, process.waitFor());
    assertEquals("found " + java.toRealPath() + "\n", stderr());
  }

  /** Later JDKs warn of what libraries do, and have an option against it that earlier ones do not know. */
  @Test
  void warningsAboutUnsafeAreOffWhereTheJdkHasThem() throws Exception {
    String allow = "--sun-misc-unsafe-memory-access=allow";
    for (String version : List.of("17.0.15", "22.0.2", "23", "25.0.3")) {
      Path java = jdk(version, "echo \"$@\" >&2");
      start(java.getParent().getParent().toString(), "-Xmx64m");
      assertEquals(0, process.waitFor());
      boolean knows = Integer.parseInt(version.split("\\.")[0]) >= 23;
      assertEquals(knows, stderr().contains(" " + allow + " -Xmx64m "), version + ": " + stderr());
      assertEquals(knows, stderr().contains(allow), version + ": " + stderr());
    }
    assertTrue(Greeting.ofLauncher(allow));
  }

  /** Makes a JDK of a version, whose java is a line of shell. */
  private Path jdk(String version, String line) throws IOException {
    Path home = Files.createDirectories(folder.resolve("jdk-" + version));
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    Files.writeString(java, "#!/bin/sh\n" + line + "\n");
    assertTrue(java.toFile().setExecutable(true));
    return java;
  }
}
