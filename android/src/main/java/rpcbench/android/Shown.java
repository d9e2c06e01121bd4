package rpcbench.android;

import java.util.Locale;
import rpcbench.android.bench.Figures;
import rpcbench.android.bench.Point;
import rpcbench.android.bench.Run;

/** Shows on a screen how a run goes. */
final class Shown implements Run.Listener {
  private final MainActivity screen;
  private final int trials;
  private int trial;
  private String point = "";

  Shown(MainActivity screen, int trials) {
    this.screen = screen;
    this.trials = trials;
  }

  @Override
  public void begun(int i, Point of) {
    trial = i;
    point = of.words();
    tell("");
  }

  @Override
  public void progress(boolean warming, double perSec) {
    tell(String.format(Locale.ROOT, "%n%s: %.0f calls/s", warming ? "Warming up" : "Measuring", perSec));
  }

  private void tell(String more) {
    int done = trial;
    String words = String.format(Locale.ROOT, "Trial %d of %d: %s%s", trial + 1, trials, point, more);
    screen.runOnUiThread(() -> screen.showTrial(done, words));
  }

  @Override
  public void ended(Point of, Figures figures, String failure) {
    screen.runOnUiThread(() -> screen.table().add(of, figures, failure));
  }
}
