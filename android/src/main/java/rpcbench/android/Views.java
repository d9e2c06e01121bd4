package rpcbench.android;

import android.content.Context;
import android.graphics.Typeface;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;

/** Makes the parts of screens: a column of large things, in the system's colors, light or dark. */
final class Views {
  private static final int TITLE_SP = 22;
  private static final int TEXT_SP = 16;
  private static final int BUTTON_SP = 18;
  private static final int BUTTON_DP = 56;
  private static final int SPACE_DP = 16;

  private final Context context;
  private final LinearLayout column;

  Views(Context context) {
    this.context = context;
    column = new LinearLayout(context);
    column.setOrientation(LinearLayout.VERTICAL);
    column.setPadding(dp(SPACE_DP), dp(SPACE_DP), dp(SPACE_DP), dp(SPACE_DP));
  }

  /** All parts, in a view that scrolls and keeps clear of the system's bars. */
  View screen() {
    ScrollView scroll = new ScrollView(context);
    scroll.setFitsSystemWindows(true);
    scroll.addView(column);
    return scroll;
  }

  <V extends View> V add(V view) {
    LinearLayout.LayoutParams layout =
        new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.WRAP_CONTENT);
    layout.topMargin = dp(SPACE_DP / 2);
    column.addView(view, layout);
    return view;
  }

  TextView title(String text) {
    TextView view = add(text(text));
    view.setTextSize(TITLE_SP);
    view.setTypeface(Typeface.DEFAULT_BOLD);
    return view;
  }

  TextView line(String text) {
    return add(text(text));
  }

  TextView text(String text) {
    TextView view = new TextView(context);
    view.setText(text);
    view.setTextSize(TEXT_SP);
    return view;
  }

  Button button(String text, Runnable pressed) {
    Button button = new Button(context);
    button.setText(text);
    button.setAllCaps(false);
    button.setTextSize(BUTTON_SP);
    button.setMinHeight(dp(BUTTON_DP));
    button.setOnClickListener(view -> pressed.run());
    return add(button);
  }

  int dp(int n) {
    return Math.round(n * context.getResources().getDisplayMetrics().density);
  }

  static void show(View view, boolean shown) {
    view.setVisibility(shown ? View.VISIBLE : View.GONE);
  }
}
