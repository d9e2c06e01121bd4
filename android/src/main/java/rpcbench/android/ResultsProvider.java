package rpcbench.android;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.content.Context;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import android.os.ParcelFileDescriptor;
import android.provider.OpenableColumns;
import java.io.File;
import java.io.FileNotFoundException;

/** Lets another app read a results file that the user shares with it, and no other file. */
public final class ResultsProvider extends ContentProvider {
  static final String AUTHORITY = "rpcbench.android.results";
  static final String TYPE = "application/x-ndjson";

  /** Where results are kept. */
  static File folder(Context context) {
    File folder = new File(context.getFilesDir(), "results");
    if (!folder.isDirectory() && !folder.mkdirs()) {
      throw new IllegalStateException(folder + " can't be made");
    }
    return folder;
  }

  /** The address by which a file is shared. */
  static Uri address(File file) {
    return new Uri.Builder().scheme("content").authority(AUTHORITY).appendPath(file.getName()).build();
  }

  private File file(Uri address) throws FileNotFoundException {
    String name = address.getLastPathSegment();
    if (name == null || !name.equals(new File(name).getName()) || !name.endsWith(".jsonl")) {
      throw new FileNotFoundException(address + " is no results file");
    }
    File file = new File(folder(getContext()), name);
    if (!file.isFile()) {
      throw new FileNotFoundException(name + " is not there");
    }
    return file;
  }

  @Override
  public ParcelFileDescriptor openFile(Uri address, String mode) throws FileNotFoundException {
    if (!mode.equals("r")) {
      throw new FileNotFoundException("results are only read");
    }
    return ParcelFileDescriptor.open(file(address), ParcelFileDescriptor.MODE_READ_ONLY);
  }

  /** Tells the name and the size, whatever is asked. */
  @Override
  public Cursor query(Uri address, String[] columns, String where, String[] values, String order) {
    MatrixCursor cursor = new MatrixCursor(new String[] {OpenableColumns.DISPLAY_NAME, OpenableColumns.SIZE}, 1);
    try {
      File file = file(address);
      cursor.addRow(new Object[] {file.getName(), file.length()});
    } catch (FileNotFoundException e) {
      return cursor; // which is empty
    }
    return cursor;
  }

  @Override
  public boolean onCreate() {
    return true;
  }

  @Override
  public String getType(Uri address) {
    return TYPE;
  }

  @Override
  public Uri insert(Uri address, ContentValues values) {
    throw new UnsupportedOperationException("results are only read");
  }

  @Override
  public int delete(Uri address, String where, String[] values) {
    throw new UnsupportedOperationException("results are only read");
  }

  @Override
  public int update(Uri address, ContentValues values, String where, String[] more) {
    throw new UnsupportedOperationException("results are only read");
  }
}
