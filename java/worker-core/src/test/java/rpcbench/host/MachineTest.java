package rpcbench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class MachineTest {
  @Test
  @EnabledOnOs(OS.LINUX)
  void linuxTellsItsFacts() {
    Machine machine = Machine.describe();
    assertEquals("linux", machine.os());
    assertFalse(machine.name().isEmpty() || machine.kernel().isEmpty() || machine.arch().isEmpty(), machine.toString());
    assertTrue(machine.memoryBytes() > 1 << 20 && machine.openFiles() > 0, machine.toString());
  }

  @Test
  void systemsHaveTheNamesThatGoHas() {
    assertEquals("linux windows darwin", Machine.osOf("Linux") + " " + Machine.osOf("Windows 11") + " " + Machine.osOf("Mac OS X"));
    assertEquals("amd64 arm64 386 riscv64", String.join(" ",
        Machine.archOf("x86_64"), Machine.archOf("aarch64"), Machine.archOf("x86"), Machine.archOf("riscv64")));
  }

  @Test
  void filesAreReadAsTheKernelWritesThem() {
    assertEquals("A CPU @ 3 GHz", Machine.cpuOf("processor\t: 0\nmodel\t\t: 7\nmodel name\t: A CPU @ 3 GHz\n"));
    assertEquals("", Machine.cpuOf("processor\t: 0\n"));
    String limits = "Limit                     Soft Limit           Hard Limit           Units\n";
    assertEquals(1024, Machine.openFilesOf(limits + "Max open files            1024                 4096                 files\n"));
    assertEquals(Long.MAX_VALUE, Machine.openFilesOf("Max open files            unlimited            unlimited            files\n"));
    assertEquals(0, Machine.openFilesOf(limits));
  }
}
