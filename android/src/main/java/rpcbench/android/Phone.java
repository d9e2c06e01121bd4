package rpcbench.android;

import android.content.Context;
import android.os.BatteryManager;
import android.os.Build;
import rpcbench.android.bench.Device;

/** This phone, as its system tells of it. */
final class Phone implements Device {
  private static final double PERCENT = 100;

  private final Context context;

  Phone(Context context) {
    this.context = context.getApplicationContext();
  }

  @Override
  public String name() {
    return Build.MANUFACTURER + " " + Build.MODEL + ", Android " + Build.VERSION.RELEASE;
  }

  @Override
  public double level() {
    int percent = property(BatteryManager.BATTERY_PROPERTY_CAPACITY);
    return percent > 0 && percent <= PERCENT ? percent / PERCENT : -1;
  }

  @Override
  public long microampHours() {
    int charge = property(BatteryManager.BATTERY_PROPERTY_CHARGE_COUNTER);
    return charge > 0 ? charge : -1; // what a phone does not tell is 0 or the least number
  }

  private int property(int id) {
    BatteryManager battery = context.getSystemService(BatteryManager.class);
    return battery == null ? -1 : battery.getIntProperty(id);
  }
}
