package io.packhorse.benchmarks.load;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.tsfile.encoding.encoder.Encoder;
import org.apache.tsfile.enums.TSDataType;
import org.apache.tsfile.exception.write.WriteProcessException;
import org.apache.tsfile.file.metadata.enums.CompressionType;
import org.apache.tsfile.file.metadata.enums.TSEncoding;
import org.apache.tsfile.write.TsFileWriter;
import org.apache.tsfile.write.record.Tablet;
import org.apache.tsfile.write.schema.IMeasurementSchema;
import org.apache.tsfile.write.schema.MeasurementSchema;

/**
 * One TsFile with a device a series or host, made the way its own documentation does it: a tablet a
 * device, written when it is full. One thread.
 */
final class TsFilePart implements Closeable {
  /**
   * Devices given to the writer in the end before it writes them: it keeps some KiB for each
   * series, and looks through all that it has again and again.
   */
  private static final int DEVICES_HELD_MAX = 1000;

  private final TsFileWriter writer;
  private final List<IMeasurementSchema> columns;
  private final int rowsMax;
  private Tablet[] tablets = new Tablet[128];

  /**
   * @param form of the values
   * @param rowsMax of a tablet
   */
  TsFilePart(Path file, TsFilePeer.Form form, int rowsMax) throws IOException {
    this.writer = new TsFileWriter(file.toFile());
    this.columns = columns(form);
    this.rowsMax = rowsMax;
  }

  /** Differences of neighbours: the encoding that is both its fastest and its smallest here. */
  private static List<IMeasurementSchema> columns(TsFilePeer.Form form) {
    List<IMeasurementSchema> columns = new ArrayList<>();
    for (int i = 0; i < form.columns(); i++) {
      columns.add(
          form == TsFilePeer.Form.DECIMALS
              ? new MeasurementSchema(
                  "v" + i,
                  TSDataType.DOUBLE,
                  TSEncoding.TS_2DIFF,
                  CompressionType.ZSTD,
                  Map.of(Encoder.MAX_POINT_NUMBER, "1"))
              : new MeasurementSchema(
                  "v" + i, TSDataType.INT64, TSEncoding.TS_2DIFF, CompressionType.LZ4));
    }
    return columns;
  }

  /** The tablet of a device, with room for one row more. */
  Tablet tablet(int device) throws IOException {
    if (device >= tablets.length) {
      tablets = Arrays.copyOf(tablets, Math.max(device + 1, 2 * tablets.length));
    }
    Tablet tablet = tablets[device];
    if (tablet == null) {
      tablet = new Tablet(name(device), columns, rowsMax);
      tablets[device] = tablet;
      register(device);
    } else if (tablet.getRowSize() == rowsMax) {
      write(tablet);
      tablet.reset();
    }
    return tablet;
  }

  private static String name(int device) {
    return "root.d" + device;
  }

  private void register(int device) throws IOException {
    try {
      if (columns.size() > 1) {
        writer.registerAlignedTimeseries(name(device), columns);
      } else {
        writer.registerTimeseries(name(device), columns.get(0));
      }
    } catch (WriteProcessException e) {
      throw new IOException(e);
    }
  }

  private void write(Tablet tablet) throws IOException {
    try {
      writer.writeTree(tablet);
    } catch (WriteProcessException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    int held = 0;
    try (writer) {
      for (Tablet tablet : tablets) {
        if (tablet != null && tablet.getRowSize() > 0) {
          write(tablet);
          if (++held == DEVICES_HELD_MAX) {
            writer.flush();
            held = 0;
          }
        }
      }
    }
  }
}
