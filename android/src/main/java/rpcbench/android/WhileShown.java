package rpcbench.android;

/**
 * What may go on only while a screen is shown, because Android slows down an app in the background, and stops it. Any thread may
 * use it.
 */
final class WhileShown {
  private boolean hidden; // under this object's lock, as what follows
  private Runnable ends; // what goes on; null without it

  /** Something begins that ends() ends; false says that it must not, as the screen is not shown. */
  synchronized boolean begin(Runnable ends) {
    if (hidden) {
      return false;
    }
    this.ends = ends;
    return true;
  }

  /** It has ended. */
  synchronized void end() {
    ends = null;
  }

  /** The screen is no longer shown. */
  synchronized void hide() {
    hidden = true;
    if (ends != null) {
      ends.run();
    }
  }

  /** The screen is shown. */
  synchronized void show() {
    hidden = false;
  }
}
