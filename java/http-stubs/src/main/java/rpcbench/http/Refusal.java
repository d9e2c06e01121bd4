package rpcbench.http;

/** A request that is answered with a status other than 200 and one sentence. */
public final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  private final int status;

  public Refusal(int status, String why) {
    super(why, null, false, false);
    this.status = status;
  }

  public int status() {
    return status;
  }
}
