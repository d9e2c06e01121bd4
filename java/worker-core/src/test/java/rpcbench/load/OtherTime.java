package rpcbench.load;

/** A virtual time of which a test changes a part. */
abstract class OtherTime implements Time {
  private final VirtualTime time;

  OtherTime(VirtualTime time) {
    this.time = time;
  }

  @Override
  public long nowNs() {
    return time.nowNs();
  }

  @Override
  public void waitNs(long ns) {
    time.waitNs(ns);
  }

  @Override
  public void parkNs(long ns) {
    time.parkNs(ns);
  }

  @Override
  public void unpark(Thread thread) {
    time.unpark(thread);
  }

  @Override
  public Thread start(String name, Runnable work) {
    return time.start(name, work);
  }
}
