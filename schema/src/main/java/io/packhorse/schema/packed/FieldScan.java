package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * Lists the fields of the runs of a cell that {@link PackedCellDecoder} has accepted. Packed
 * numbers are one field each run of them. For people, so it may be slow.
 */
final class FieldScan {
  private static final String[] COUNTED = {"values", "differences", "second differences"};
  private static final String[] RESIDUAL_CODERS = {
    "constant", "fields", "radix", "blocks", "steps"
  };
  private static final String[] VALUE_CODERS = {"dictionary", "runs", "lengths"};

  final ByteReader in;
  final byte[] bytes;
  private final List<CellField> fields = new ArrayList<>();
  private final IntegerReader integers = new IntegerReader();
  private final DoubleReader doubles = new DoubleReader(new IntegerReader());

  /**
   * @param bytes a whole cell and {@link BitPacking#SLACK} bytes after it
   * @param length of the cell
   */
  FieldScan(byte[] bytes, int length) {
    this.bytes = bytes;
    this.in = new ByteReader(bytes, 0, length);
  }

  /** All fields so far, in the order of the bytes. */
  List<CellField> fields() {
    return List.copyOf(fields);
  }

  /** Adds the field between {@code from} and the reader's position. */
  void note(int from, String name, Object meaning) {
    fields.add(new CellField(from, in.position(), name, meaning.toString()));
  }

  /** Adds a field of {@code length} bytes whose content is not read. */
  void skip(int length, String name, Object meaning) throws MalformedCellException {
    int from = in.position();
    in.skip(length);
    note(from, name, meaning);
  }

  /** Form of the integer run at the reader's position, without its parameters. */
  String integerForm() {
    int tag = bytes[in.position()];
    int order = tag & IntegerRun.ORDER_MASK;
    int coder = tag >>> IntegerRun.CODER_SHIFT;
    return order == IntegerRun.OF_VALUES
        ? VALUE_CODERS[coder]
        : COUNTED[order] + ", " + RESIDUAL_CODERS[coder];
  }

  /** Form of the double run at the reader's position, without its parameters. */
  String doubleForm() {
    int form = bytes[in.position()] & DoubleRun.FORM_MASK;
    int parameters = form == DoubleRun.SHIFTED || form == DoubleRun.SPLIT ? 2 : 1;
    FieldScan inner = new FieldScan(bytes, in.position() + in.remaining());
    inner.in.reset(bytes, in.position() + parameters, in.position() + in.remaining());
    return doubleName(form) + " of " + inner.integerForm();
  }

  private static String doubleName(int form) {
    return switch (form) {
      case DoubleRun.DECIMALS -> "decimals";
      case DoubleRun.DECIMALS_AND_OTHERS -> "decimals and others";
      case DoubleRun.FLOATS -> "floats";
      case DoubleRun.FLOATS_AND_OTHERS -> "floats and others";
      case DoubleRun.ORDERED -> "ordered";
      case DoubleRun.SHIFTED -> "shifted";
      default -> "split";
    };
  }

  /** Adds the fields of an integer run. */
  void integers(String name, int count) throws MalformedCellException {
    int start = in.position();
    integers(name, count, new long[count]);
    // The fields must end where the reader of the run ends.
    check(start, count);
  }

  private void check(int start, int count) throws MalformedCellException {
    ByteReader whole = new ByteReader(bytes, start, in.position() + in.remaining());
    integers.read(whole, bytes, count, new long[count]);
    if (whole.position() != in.position()) {
      throw new IllegalStateException(
          "cell dump: fields end at " + in.position() + ", their run at " + whole.position());
    }
  }

  private void integers(String name, int count, long[] values) throws MalformedCellException {
    int start = in.position();
    String form = integerForm();
    int tag = in.readByte();
    note(start, name, form);
    int order = tag & IntegerRun.ORDER_MASK;
    int coder = tag >>> IntegerRun.CODER_SHIFT;
    if (order == IntegerRun.OF_VALUES) {
      values(name, start, count, coder, values);
      return;
    }
    for (int i = 0; i < order; i++) {
      zigzag(i == 0 ? "first" : "first difference");
    }
    int residuals = count - order;
    switch (coder) {
      case IntegerRun.CONSTANT -> zigzag("constant");
      case IntegerRun.FIELDS -> {
        zigzag("min");
        int from = in.position();
        int width = in.readByte();
        note(from, "width", width + " bits a field");
        skip(BitPacking.bytes(residuals, width), "fields", residuals + " numbers above min");
      }
      case IntegerRun.RADIX -> {
        zigzag("min");
        int from = in.position();
        int radix = MiniBlocks.readRadix(in);
        note(from, "radix", radix);
        skip(RadixWords.bytes(radix, residuals), "words", residuals + " numbers above min");
      }
      case IntegerRun.BLOCKS -> miniBlocks(residuals);
      default -> rest(start, count, RESIDUAL_CODERS[coder], residuals + " numbers", values);
    }
  }

  private void values(String name, int start, int count, int coder, long[] values)
      throws MalformedCellException {
    if (coder > IntegerRun.RUNS) {
      rest(start, count, VALUE_CODERS[coder], count + " numbers", values);
      return;
    }
    int from = in.position();
    int parts = in.readVarInt();
    if (coder == IntegerRun.DICTIONARY) {
      note(from, "entries", parts);
      integers(name + ": entries", parts, values);
      integers(name + ": ids", count, values);
    } else {
      note(from, "runs", parts);
      integers(name + ": values", parts, values);
      integers(name + ": lengths less 1", parts, values);
    }
  }

  private void zigzag(String name) throws MalformedCellException {
    int from = in.position();
    note(from, name, in.readZigZagLong());
  }

  private void miniBlocks(int residuals) throws MalformedCellException {
    long[] block = new long[MiniBlocks.SIZE];
    for (int done = 0; done < residuals; done += MiniBlocks.SIZE) {
      int from = in.position();
      int count = Math.min(MiniBlocks.SIZE, residuals - done);
      MiniBlocks.read(in, bytes, block, 0, count);
      note(from, "block", count + " numbers, " + MiniBlocks.form(bytes[from] & 0xff));
    }
  }

  /** Adds the rest of an integer run, whose first fields were added already, as one field. */
  private void rest(int start, int count, String name, String meaning, long[] values)
      throws MalformedCellException {
    int from = in.position();
    ByteReader whole = new ByteReader(bytes, start, from + in.remaining());
    integers.read(whole, bytes, count, values);
    in.skip(whole.position() - from);
    note(from, name, meaning);
  }

  /** Adds the fields of a double run. */
  void doubles(String name, int count) throws MalformedCellException {
    int start = in.position();
    int tag = bytes[start] & 0xff;
    int form = tag & DoubleRun.FORM_MASK;
    int exponent = tag >>> DoubleRun.EXPONENT_SHIFT;
    in.skip(1);
    note(start, name, doubleName(form) + (form < DoubleRun.ORDERED ? ", q / 10^" + exponent : ""));
    int low = 0;
    if (form == DoubleRun.SHIFTED || form == DoubleRun.SPLIT) {
      int from = in.position();
      low = in.readByte();
      note(from, "low bits", low);
    }
    integers(form < DoubleRun.ORDERED ? "mantissas" : "high bits", count);
    if (form == DoubleRun.SPLIT) {
      skip(BitPacking.bytes(count, low), "low bits", count + " fields of " + low + " bits");
    } else if (form == DoubleRun.DECIMALS_AND_OTHERS || form == DoubleRun.FLOATS_AND_OTHERS) {
      int from = in.position();
      int others = in.readVarInt();
      note(from, "others", others);
      integers("indexes of the others", others);
      skip(others * Long.BYTES, "others", "raw bits of " + others + " doubles");
    }
    ByteReader whole = new ByteReader(bytes, start, in.position() + in.remaining());
    doubles.read(whole, bytes, count, new long[count]);
    if (whole.position() != in.position()) {
      throw new IllegalStateException(
          "cell dump: fields end at " + in.position() + ", their run at " + whole.position());
    }
  }

  /** Adds the fields of the slots of offsets with holes. */
  void slots() throws MalformedCellException {
    int from = in.position();
    int holes = in.readVarInt();
    note(from, "holes", holes);
    from = in.position();
    StringJoiner runs = new StringJoiner(", ");
    for (int i = 0; i < holes; i++) {
      int present = in.readVarInt();
      runs.add(present + " with a point, " + in.readVarInt() + " without");
    }
    if (holes > 0) {
      note(from, "slots", runs);
    }
  }
}
