package rpcbench.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LedgerTest {
  private static void assertNumbers(Ledger ledger, long... numbers) {
    for (long number : numbers) {
      assertEquals(number, ledger.nextCall());
    }
  }

  @Test
  void callsAreNumberedFromZero() {
    assertNumbers(new Ledger(), 0, 1, 2);
  }

  @Test
  void severalClientsNumberTheirsApart() {
    assertNumbers(new Ledger(0, 3), 0, 4, 7);
    assertNumbers(new Ledger(1, 3), 1, 5, 8);
    assertNumbers(new Ledger(2, 3), 2, 3, 6);
  }
}
