package rpcbench.android;

import android.app.Activity;
import android.net.LocalServerSocket;
import android.net.LocalSocket;
import android.os.Bundle;
import android.os.Process;
import android.view.WindowManager;
import android.widget.TextView;
import java.io.IOException;
import rpcbench.android.stack.Stacks;
import rpcbench.stack.CallException;
import rpcbench.worker.Worker;

/**
 * The screen of a worker: a computer that is connected by adb runs its trials here. It starts the app anew for each trial, so that
 * each has a fresh process.
 */
public final class WorkerActivity extends Activity {
  /** The name of the socket, in Linux's abstract namespace, which adb forwards to. */
  static final String SOCKET = "rpcbench";

  /** The users that adb's daemon runs as. */
  private static final int SHELL = 2000;

  private static final int ROOT = 0;

  final WhileShown trial = new WhileShown();

  private TextView status;
  private LocalServerSocket listener; // null where it could not be made

  @Override
  protected void onCreate(Bundle saved) {
    super.onCreate(saved);
    getWindow().addFlags(WindowManager.LayoutParams.FLAG_KEEP_SCREEN_ON | WindowManager.LayoutParams.FLAG_SHOW_WHEN_LOCKED
        | WindowManager.LayoutParams.FLAG_TURN_SCREEN_ON);
    Views views = new Views(this);
    views.title("rpcbench: a computer's worker");
    status = views.line("");
    views.line("On the computer that is connected by adb: rpcbench run --worker adb: SCENARIO. Leave this screen open.");
    views.button("Back", this::finish);
    setContentView(views.screen());
    listen();
  }

  private void listen() {
    try {
      listener = new LocalServerSocket(SOCKET);
      status.setText("Waiting for the computer …");
      new Thread(this::serve, "rpcbench-listener").start();
    } catch (IOException e) {
      status.setText("The socket can't be made: " + CallException.reason(e));
    }
  }

  /** Serves one computer after another, until the screen is closed. */
  private void serve() {
    while (true) {
      try (LocalSocket socket = listener.accept()) {
        if (trusted(socket) && trial.begin(() -> end(socket))) {
          say("A trial runs.");
          Worker.converseInApp(Stacks.make(), new Phone(this), socket.getInputStream(), socket.getOutputStream());
          say("Waiting for the computer …");
        }
      } catch (IOException e) {
        if (isDestroyed() || isFinishing()) {
          return; // the socket was closed
        }
        say("The connection to the computer broke: " + CallException.reason(e));
      } finally {
        trial.end();
      }
    }
  }

  /** Has both sides of a socket see its end. To close it would not wake up who reads it. */
  private static void end(LocalSocket socket) {
    try {
      socket.shutdownInput();
      socket.shutdownOutput();
    } catch (IOException e) {
      System.err.println("the socket: " + e.getMessage()); // it has ended already
    }
  }

  /** Any app may connect to the socket; only adb is listened to. */
  private static boolean trusted(LocalSocket socket) throws IOException {
    int user = socket.getPeerCredentials().getUid();
    return user == SHELL || user == ROOT || user == Process.myUid();
  }

  private void say(String words) {
    runOnUiThread(() -> status.setText(words));
  }

  @Override
  protected void onStart() {
    super.onStart();
    trial.show();
  }

  /** The computer has the trial fail, as its worker has ended. */
  @Override
  protected void onStop() {
    trial.hide();
    super.onStop();
  }

  @Override
  protected void onDestroy() {
    if (listener != null) {
      try {
        listener.close();
      } catch (IOException e) {
        System.err.println("the socket: " + e.getMessage()); // the process ends soon, and it with that
      }
    }
    super.onDestroy();
  }
}
