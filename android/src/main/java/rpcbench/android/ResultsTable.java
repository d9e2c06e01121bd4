package rpcbench.android;

import android.content.Context;
import android.graphics.Typeface;
import android.view.Gravity;
import android.view.View;
import android.widget.TableLayout;
import android.widget.TableRow;
import android.widget.TextView;
import rpcbench.android.bench.Figures;
import rpcbench.android.bench.Point;

/** A row for each trial: what it was, its median, its p99 and its rate. A trial that failed has the reason below its name. */
final class ResultsTable extends TableLayout {
  private static final int SPACE_DP = 8;
  private static final int CELL_SP = 14;

  private final Views views;
  private int trials;
  private int failed;

  ResultsTable(Context context) {
    super(context);
    views = new Views(context);
    setColumnShrinkable(0, true);
    setColumnStretchable(0, true);
  }

  void clear() {
    removeAllViews();
    trials = 0;
    failed = 0;
  }

  /** How many trials there are. */
  int trials() {
    return trials;
  }

  /** How many trials failed. */
  int failed() {
    return failed;
  }

  void add(Point point, Figures figures, String failure) {
    if (trials++ == 0) {
      row(Typeface.BOLD, "", "p50", "p99", "per second");
    }
    if (failure != null) {
      failed++;
      row(Typeface.NORMAL, point.words() + "\nfailed: " + failure, "", "", "");
      return;
    }
    String lost = figures.failed() == 0 ? "" : "\ncalls that failed: " + figures.failed();
    row(Typeface.NORMAL, point.words() + lost, figures.median(), figures.p99(), figures.rate());
  }

  private void row(int style, String... cells) {
    TableRow row = new TableRow(getContext());
    for (int i = 0; i < cells.length; i++) {
      TextView cell = views.text(cells[i]);
      cell.setTextSize(CELL_SP);
      cell.setTypeface(Typeface.DEFAULT, style);
      cell.setPadding(0, views.dp(SPACE_DP / 2), i == cells.length - 1 ? 0 : views.dp(SPACE_DP), views.dp(SPACE_DP / 2));
      cell.setGravity(i == 0 ? Gravity.START : Gravity.END);
      cell.setTextAlignment(i == 0 ? View.TEXT_ALIGNMENT_VIEW_START : View.TEXT_ALIGNMENT_VIEW_END);
      row.addView(cell);
    }
    addView(row);
  }
}
