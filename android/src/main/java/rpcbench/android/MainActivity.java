package rpcbench.android;

import android.app.Activity;
import android.content.Intent;
import android.content.SharedPreferences;
import android.os.Bundle;
import android.text.InputType;
import android.view.WindowManager;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.ProgressBar;
import android.widget.TextView;
import java.io.File;
import java.io.IOException;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import rpcbench.android.bench.Cases;
import rpcbench.android.bench.Point;
import rpcbench.android.bench.Run;
import rpcbench.stack.CallException;

/** The first screen: where the servers are, what is measured, how it goes, and what came out. */
public final class MainActivity extends Activity {
  private static final String GRPC = "grpc";
  private static final String HTTP = "http";

  private EditText grpc;
  private EditText http;
  private final Map<Cases, CheckBox> chosen = new EnumMap<>(Cases.class);
  private Button run;
  private Button cancel;
  private Button share;
  private TextView status;
  private ProgressBar progress;
  private ResultsTable table;
  private Run running; // null without one
  private File results; // of the last run; null before one

  @Override
  protected void onCreate(Bundle saved) {
    super.onCreate(saved);
    Views views = new Views(this);
    views.title("rpcbench");
    SharedPreferences kept = getPreferences(MODE_PRIVATE);
    grpc = address(views, "gRPC server, such as 192.168.1.5:50051", kept.getString(GRPC, ""));
    http = address(views, "JSON over HTTP server, such as 192.168.1.5:8080", kept.getString(HTTP, ""));
    for (Cases each : Cases.values()) {
      CheckBox box = new CheckBox(this);
      box.setText(each.calls ? each.title + " (needs servers)" : each.title);
      box.setMinHeight(views.dp(48));
      box.setChecked(true);
      chosen.put(each, views.add(box));
    }
    run = views.button("Measure", this::measure);
    cancel = views.button("Cancel", this::cancel);
    status = views.line("");
    status.setAccessibilityLiveRegion(TextView.ACCESSIBILITY_LIVE_REGION_POLITE);
    progress = views.add(new ProgressBar(this, null, android.R.attr.progressBarStyleHorizontal));
    progress.setContentDescription("Trials done");
    share = views.button("Share the results file", this::share);
    table = views.add(new ResultsTable(this));
    views.button("Be a computer's worker", () -> startActivity(new Intent(this, WorkerActivity.class)));
    setContentView(views.screen());
    show();
  }

  private EditText address(Views views, String hint, String text) {
    EditText field = new EditText(this);
    field.setHint(hint);
    field.setText(text);
    field.setSingleLine(true);
    field.setInputType(InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_URI);
    return views.add(field);
  }

  /** Shows what belongs to the state. */
  private void show() {
    boolean runs = running != null;
    Views.show(run, !runs);
    Views.show(cancel, runs);
    Views.show(progress, runs);
    Views.show(share, !runs && results != null);
    grpc.setEnabled(!runs);
    http.setEnabled(!runs);
    chosen.values().forEach(box -> box.setEnabled(!runs));
    if (runs) {
      getWindow().addFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
    } else {
      getWindow().clearFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON);
    }
  }

  private void measure() {
    if (refuses(grpc) || refuses(http)) {
      return;
    }
    Cases.Servers servers = new Cases.Servers(text(grpc), text(http));
    getPreferences(MODE_PRIVATE).edit().putString(GRPC, servers.grpc()).putString(HTTP, servers.http()).apply();
    Run planned = new Run(new Phone(this));
    for (Cases each : Cases.values()) {
      if (chosen.get(each).isChecked()) {
        for (Point point : each.points(servers)) {
          planned.add(point, each.title);
        }
      }
    }
    if (planned.size() == 0) {
      status.setText("Nothing can be measured: choose a case, and for one that needs servers name their addresses.");
      return;
    }
    begin(planned);
  }

  private boolean refuses(EditText field) {
    String wrong = Cases.Servers.wrong(text(field));
    field.setError(wrong);
    if (wrong != null) {
      status.setText(wrong);
    }
    return wrong != null;
  }

  private static String text(EditText field) {
    return field.getText().toString().trim();
  }

  private void begin(Run planned) {
    running = planned;
    results = null;
    table.clear();
    progress.setMax(planned.size());
    show();
    File file = new File(ResultsProvider.folder(this), name());
    new Thread(() -> carryOut(planned, file), "rpcbench-run").start();
  }

  /** Of this second: "rpcbench-20260131T120000Z.jsonl". */
  private static String name() {
    SimpleDateFormat format = new SimpleDateFormat("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT);
    format.setTimeZone(TimeZone.getTimeZone("UTC"));
    return "rpcbench-" + format.format(new Date()) + ".jsonl";
  }

  private void carryOut(Run planned, File file) {
    String failure = null;
    try {
      planned.into(file, new Shown(this, planned.size()));
    } catch (IOException | RuntimeException e) { // whatever it is, the screen goes on
      failure = CallException.reason(e);
    }
    String reason = failure;
    runOnUiThread(() -> ended(planned, file, reason));
  }

  private void ended(Run planned, File file, String failure) {
    running = null;
    results = table.trials() > 0 ? file : null;
    if (results == null && file.isFile() && !file.delete()) {
      System.err.println(file + " can't be removed"); // it has no trial, and nobody is shown it
    }
    status.setText(failure == null ? end(planned) : "It failed: " + failure);
    show();
  }

  private String end(Run planned) {
    if (table.trials() == 0) {
      return "Cancelled before anything was measured.";
    }
    String end = "Done.";
    if (planned.isCancelled()) {
      end = "Cancelled. " + table.trials() + " of " + planned.size() + " trials are in the file.";
    }
    if (table.failed() > 0) {
      end += " Trials that failed: " + table.failed() + ".";
    }
    return end + " Share the results file to report and compare it on a computer.";
  }

  void showTrial(int i, String words) {
    progress.setProgress(i);
    status.setText(words);
  }

  ResultsTable table() {
    return table;
  }

  private void cancel() {
    if (running != null) {
      status.setText("Ending the trial that runs …");
      running.cancel();
    }
  }

  private void share() {
    Intent send = new Intent(Intent.ACTION_SEND)
        .setType(ResultsProvider.TYPE)
        .putExtra(Intent.EXTRA_STREAM, ResultsProvider.address(results))
        .addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION);
    startActivity(Intent.createChooser(send, results.getName()));
  }

  @Override
  protected void onStart() {
    super.onStart();
    if (running != null) {
      running.comeBack();
    }
  }

  @Override
  protected void onStop() {
    if (running != null) {
      running.leave();
    }
    super.onStop();
  }

  @Override
  protected void onDestroy() {
    if (running != null) {
      running.cancel();
    }
    super.onDestroy();
  }
}
