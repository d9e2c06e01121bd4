package rpcbench.android;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import android.app.Activity;
import android.content.Intent;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowManager;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.TextView;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.shadows.ShadowLooper;

/** The screens, on Android's own views. */
@RunWith(RobolectricTestRunner.class)
public class ScreensTest {
  private ActivityController<? extends Activity> controller;
  private Activity screen;

  @Before
  public void open() {
    Robolectric.buildContentProvider(ResultsProvider.class).create(ResultsProvider.AUTHORITY);
    open(MainActivity.class);
  }

  private void open(Class<? extends Activity> kind) {
    controller = Robolectric.buildActivity(kind).setup();
    screen = controller.get();
  }

  private static <V extends View> List<V> all(View in, Class<V> kind) {
    List<V> found = new ArrayList<>();
    if (kind.isInstance(in) && in.isShown()) {
      found.add(kind.cast(in));
    }
    if (in instanceof ViewGroup) {
      ViewGroup group = (ViewGroup) in;
      for (int i = 0; i < group.getChildCount(); i++) {
        found.addAll(all(group.getChildAt(i), kind));
      }
    }
    return found;
  }

  private <V extends View> List<V> all(Class<V> kind) {
    return all(screen.findViewById(android.R.id.content), kind);
  }

  private Button button(String text) {
    for (Button button : all(Button.class)) {
      if (button.getText().toString().equals(text)) {
        return button;
      }
    }
    return null;
  }

  private String told() {
    StringBuilder told = new StringBuilder();
    for (TextView text : all(TextView.class)) {
      told.append(text.getText()).append('\n');
    }
    return told.toString();
  }

  private void check(int... chosen) {
    List<CheckBox> boxes = all(CheckBox.class);
    for (int i = 0; i < boxes.size(); i++) {
      boxes.get(i).setChecked(false);
    }
    for (int i : chosen) {
      boxes.get(i).setChecked(true);
    }
  }

  /** Does what the screen is told to, until something holds. */
  private static void until(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      ShadowLooper.idleMainLooper();
      Thread.yield();
    }
  }

  /** What the screen has started last. */
  private Intent started() {
    ShadowActivity shadow = Shadow.extract(screen);
    return shadow.getNextStartedActivity();
  }

  @Test
  public void anAddressThatIsNoneIsSaid() {
    all(EditText.class).get(0).setText("http://192.168.1.5");
    button("Measure").performClick();
    assertTrue(told(), told().contains("\"http://192.168.1.5\" is not an address, such as 192.168.1.5:8080"));
    assertNull("it has begun all the same", button("Cancel"));
  }

  @Test
  public void nothingToMeasureIsSaid() {
    check(2);
    button("Measure").performClick();
    assertTrue(told(), told().contains("Nothing can be measured"));
  }

  @Test
  public void aRunShowsItsTrialsIsCancelledAndShared() throws Exception {
    check(0);
    button("Measure").performClick();
    assertTrue("the screen may go dark",
        (screen.getWindow().getAttributes().flags & WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON) != 0);
    assertNull("it can be begun twice", button("Measure"));
    until(() -> told().contains("Trial 2 of 18"));
    assertTrue(told(), told().contains("encode small, protobuf-bytes"));
    assertTrue(told(), told().contains("per second"));
    button("Cancel").performClick();
    until(() -> button("Measure") != null);
    int measured = told().split("\nencode small, ").length - 1; // the rows of the table
    assertTrue(told(), told().contains("Cancelled. " + measured + " of 18 trials are in the file. Share the results file"));
    assertFalse(told(), told().contains("Done"));
    assertEquals(0, screen.getWindow().getAttributes().flags & WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);

    button("Share the results file").performClick();
    Intent chooser = started();
    Intent send = chooser.getParcelableExtra(Intent.EXTRA_INTENT);
    assertEquals(Intent.ACTION_SEND, send.getAction());
    try (InputStream in =
        screen.getContentResolver().openInputStream(send.getParcelableExtra(Intent.EXTRA_STREAM))) {
      byte[] begin = new byte[28];
      assertEquals(begin.length, in.read(begin));
      assertEquals("{\"format\":\"rpcbench-results\"", new String(begin, StandardCharsets.UTF_8));
    }
  }

  @Test
  public void ofARunThatIsCancelledBeforeItHasMeasuredThereIsNoFile() {
    check(0);
    button("Measure").performClick();
    controller.pause().stop(); // so that the first trial can't be measured
    button("Cancel").performClick();
    until(() -> button("Measure") != null);
    assertTrue(told(), told().contains("Cancelled before anything was measured."));
    assertNull("there is a file", button("Share the results file"));
    assertEquals(0, ResultsProvider.folder(screen).list().length);
  }

  @Test
  public void theWorkersScreenOpensAndSaysWhatItWaitsFor() {
    button("Be a computer's worker").performClick();
    Intent started = started();
    assertEquals(WorkerActivity.class.getName(), started.getComponent().getClassName());
  }

  @Test
  public void aTrialInTheBackgroundFails() {
    check(0);
    button("Measure").performClick();
    controller.pause().stop(); // what begins now is left already, as what has begun is left in the middle
    until(() -> told().contains("per second"));
    assertTrue(told(),
        told().contains("encode small, protobuf-bytes\nfailed: the app was in the background while calls were made"));
    controller.restart().resume();
    button("Cancel").performClick();
    until(() -> button("Measure") != null);
  }

  @Test
  public void aWorkersTrialEndsInTheBackground() {
    open(WorkerActivity.class);
    WhileShown trial = ((WorkerActivity) screen).trial;
    List<String> ended = new ArrayList<>();
    assertTrue(trial.begin(() -> ended.add("over already")));
    trial.end();
    assertTrue(trial.begin(() -> ended.add("left")));
    controller.pause().stop();
    assertEquals(List.of("left"), ended);
    assertFalse("a trial begins in the background", trial.begin(() -> ended.add("never begun")));
    controller.restart().resume();
    assertTrue(trial.begin(() -> ended.add("destroyed")));
    controller.pause().stop().destroy();
    assertEquals(List.of("left", "destroyed"), ended);
  }

  @Test
  public void everyButtonIsLargeEnoughForAThumb() {
    for (Button button : all(Button.class)) {
      float dp = button.getMinHeight() / screen.getResources().getDisplayMetrics().density;
      assertTrue(button.getText() + " has " + dp, dp >= 48);
    }
  }
}
