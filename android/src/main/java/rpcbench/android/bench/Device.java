package rpcbench.android.bench;

import rpcbench.host.Battery;

/** What the app asks of the phone. */
public interface Device extends Battery {
  /** The phone's model and its Android, "Google Pixel 4, Android 13". */
  String name();
}
