package io.packhorse.benchmarks.load;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.tsfile.enums.TSDataType;
import org.apache.tsfile.read.TsFileReader;
import org.apache.tsfile.read.TsFileSequenceReader;
import org.apache.tsfile.read.common.Field;
import org.apache.tsfile.read.expression.QueryExpression;
import org.apache.tsfile.read.query.dataset.QueryDataSet;
import org.apache.tsfile.write.record.Tablet;

/**
 * The same points into Apache TsFiles, in a process of its own: a thread a file, each with its own
 * part of the text or of the series. It trusts its input, knows nothing of names but the number in
 * them, and has no server and no index over its files.
 *
 * <pre>
 *   text FORM FILE FOLDER THREADS
 *   walk SERIES HOURS FOLDER THREADS
 *   sum FOLDER EVERY                  count and sum of the values of each so-manieth device
 * </pre>
 */
public final class TsFilePeer {
  private static final int HOUR = 3600;
  private static final int HOST_ROWS = 12;
  private static final int SERIES_ROWS = 1024;

  /** What the values are. */
  enum Form {
    INTEGERS(1, SERIES_ROWS),
    DECIMALS(1, SERIES_ROWS),
    HOSTS(10, HOST_ROWS);

    private final int columns;
    private final int rowsMax;

    Form(int columns, int rowsMax) {
      this.columns = columns;
      this.rowsMax = rowsMax;
    }

    /** Values of one row. */
    int columns() {
      return columns;
    }
  }

  private interface Part {
    void run(int number) throws IOException;
  }

  private TsFilePeer() {}

  /** See the class. */
  public static void main(String[] words) throws IOException, InterruptedException {
    switch (words[0]) {
      case "text" -> {
        Form form = Form.valueOf(words[1]);
        Path text = Path.of(words[2]);
        Path folder = Path.of(words[3]);
        int threads = Integer.parseInt(words[4]);
        inParallel(threads, part -> text(form, text, folder, part, threads));
      }
      case "walk" -> {
        int series = Integer.parseInt(words[1]);
        int hours = Integer.parseInt(words[2]);
        Path folder = Path.of(words[3]);
        int threads = Integer.parseInt(words[4]);
        inParallel(threads, part -> walk(series, hours, folder, part, threads));
      }
      case "sum" -> sum(Path.of(words[1]), Integer.parseInt(words[2]));
      default -> throw new IllegalArgumentException("not known: " + words[0]);
    }
  }

  private static void inParallel(int threads, Part part) throws IOException, InterruptedException {
    List<Thread> running = new ArrayList<>();
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < threads; i++) {
      int number = i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  part.run(number);
                } catch (IOException | RuntimeException | Error e) {
                  failures.add(e);
                }
              });
      thread.start();
      running.add(thread);
    }
    for (Thread thread : running) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new IOException(failures.get(0));
    }
  }

  private static Path file(Path folder, int part) {
    return folder.resolve(part + ".tsfile");
  }

  /** Every so-manieth series of the reference walk. */
  private static void walk(int series, int hours, Path folder, int part, int parts)
      throws IOException {
    long[] values = new long[HOUR];
    try (TsFilePart file = new TsFilePart(file(folder, part), Form.INTEGERS, HOUR)) {
      for (int number = part; number < series; number += parts) {
        for (int hour = 0; hour < hours; hour++) {
          long startS = PointText.START_S + (long) hour * HOUR;
          Walk.hour(number, startS / HOUR, values);
          Tablet tablet = file.tablet(number);
          long[] times = tablet.getTimestamps();
          for (int i = 0; i < HOUR; i++) {
            times[i] = startS + i;
          }
          System.arraycopy(values, 0, (long[]) tablet.getValues()[0], 0, HOUR);
          tablet.setRowSize(HOUR);
        }
      }
    }
  }

  /** The lines that begin in a part of the text. */
  private static void text(Form form, Path text, Path folder, int part, int parts)
      throws IOException {
    try (FileChannel channel = FileChannel.open(text, StandardOpenOption.READ);
        TsFilePart file = new TsFilePart(file(folder, part), form, form.rowsMax)) {
      long size = channel.size();
      long from = size * part / parts;
      long to = size * (part + 1) / parts;
      TextBytes bytes = new TextBytes(channel, from, to);
      while (bytes.hasLine()) {
        if (form == Form.HOSTS) {
          host(bytes, file);
        } else {
          sensor(bytes, file, form);
        }
      }
    }
  }

  /** {@code metric time value sensor=s00017}. */
  private static void sensor(TextBytes bytes, TsFilePart file, Form form) throws IOException {
    bytes.skipPast(' ');
    long time = bytes.number();
    if (form == Form.DECIMALS) {
      double value = bytes.decimal();
      bytes.skipPast('=');
      bytes.skipPast('s');
      Tablet tablet = file.tablet((int) bytes.number());
      int row = tablet.getRowSize();
      tablet.getTimestamps()[row] = time;
      ((double[]) tablet.getValues()[0])[row] = value;
      tablet.setRowSize(row + 1);
    } else {
      long value = bytes.number();
      bytes.skipPast('=');
      bytes.skipPast('s');
      Tablet tablet = file.tablet((int) bytes.number());
      int row = tablet.getRowSize();
      tablet.getTimestamps()[row] = time;
      ((long[]) tablet.getValues()[0])[row] = value;
      tablet.setRowSize(row + 1);
    }
  }

  /** {@code cpu,hostname=r1-host-17,... field=1i,field=2i time}. */
  private static void host(TextBytes bytes, TsFilePart file) throws IOException {
    bytes.skipPast('-');
    bytes.skipPast('-');
    Tablet tablet = file.tablet((int) bytes.number());
    int row = tablet.getRowSize();
    bytes.skipPast(' ');
    for (int column = 0; column < Form.HOSTS.columns; column++) {
      bytes.skipPast('=');
      ((long[]) tablet.getValues()[column])[row] = bytes.number();
    }
    bytes.skipPast(' ');
    tablet.getTimestamps()[row] = bytes.number();
    tablet.setRowSize(row + 1);
  }

  private static void sum(Path folder, int every) throws IOException {
    long count = 0;
    double sum = 0;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        try (TsFileSequenceReader sequence = new TsFileSequenceReader(file.toString());
            TsFileReader reader = new TsFileReader(sequence)) {
          for (var device : sequence.getAllDevices()) {
            int number = Integer.parseInt(device.toString().replaceAll("\\D", ""));
            if (number % every != 0) {
              continue;
            }
            List<org.apache.tsfile.read.common.Path> paths = new ArrayList<>();
            for (String column : sequence.readDeviceMetadata(device).keySet()) {
              if (!column.isEmpty()) {
                paths.add(new org.apache.tsfile.read.common.Path(device, column, false));
              }
            }
            QueryDataSet rows = reader.query(QueryExpression.create(paths, null));
            while (rows.hasNext()) {
              for (Field field : rows.next().getFields()) {
                count++;
                sum +=
                    field.getDataType() == TSDataType.DOUBLE
                        ? field.getDoubleV()
                        : field.getLongV();
              }
            }
          }
        }
      }
    }
    System.out.println(count + " " + sum);
  }
}
