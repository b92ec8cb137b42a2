package io.packhorse.schema.packed;

import io.packhorse.schema.bytes.ByteReader;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * Passes over the runs of a cell that {@link PackedCellDecoder} has read, and notes their fields.
 * What is many numbers in one is passed over by the readers themselves. For people: slow.
 */
final class FieldScan {
  private static final String[] COUNTED = {"values", "differences", "second differences"};
  private static final String[] RESIDUAL_CODERS = {
    "constant", "fields", "radix", "blocks", "steps", "entropy"
  };
  private static final String[] VALUE_CODERS = {"dictionary", "runs", "lengths", "deflate"};

  final ByteReader in;
  final byte[] bytes;
  private final List<CellField> fields = new ArrayList<>();
  private final IntegerReader integers = new IntegerReader();
  private final DoubleReader doubles = new DoubleReader(new IntegerReader());

  /**
   * @param bytes a whole cell and {@link BitPacking#SLACK} bytes behind it
   * @param length of the cell
   */
  FieldScan(byte[] bytes, int length) {
    this.bytes = bytes;
    this.in = new ByteReader(bytes, 0, length);
  }

  /** All fields noted, in their order. */
  List<CellField> fields() {
    return List.copyOf(fields);
  }

  /** Notes what lies between {@code from} and the reader's position. */
  void note(int from, String name, Object meaning) {
    fields.add(new CellField(from, in.position(), name, meaning.toString()));
  }

  /** Passes over bytes that are not looked into. */
  void skip(int length, String name, Object meaning) throws MalformedCellException {
    int from = in.position();
    in.skip(length);
    note(from, name, meaning);
  }

  /** Form of the integer run at the reader's position, its parameters left out. */
  String integerForm() {
    int tag = bytes[in.position()];
    int order = tag & IntegerRun.ORDER_MASK;
    int coder = tag >>> IntegerRun.CODER_SHIFT;
    return order == IntegerRun.OF_VALUES
        ? VALUE_CODERS[coder]
        : COUNTED[order] + ", " + RESIDUAL_CODERS[coder];
  }

  /** Form of the double run at the reader's position; its parameters left out. */
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

  /** Notes an integer run. */
  void integers(String name, int count) throws MalformedCellException {
    int start = in.position();
    integers(name, count, new long[count]);
    // Whatever was noted, the run ends where its reader ends.
    check(start, count);
  }

  private void check(int start, int count) throws MalformedCellException {
    ByteReader whole = new ByteReader(bytes, start, in.position() + in.remaining());
    integers.read(whole, bytes, count, new long[count]);
    if (whole.position() != in.position()) {
      throw new IllegalStateException(
          "fields end at " + in.position() + ", the run at " + whole.position());
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
        zigzag("least");
        int from = in.position();
        int width = in.readByte();
        note(from, "width", width + " bits a field");
        skip(BitPacking.bytes(residuals, width), "fields", residuals + " numbers above the least");
      }
      case IntegerRun.RADIX -> {
        zigzag("least");
        int from = in.position();
        int radix = MiniBlocks.readRadix(in);
        note(from, "radix", radix);
        skip(RadixWords.bytes(radix, residuals), "words", residuals + " numbers above the least");
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

  /** Notes the rest of an integer run whose first bytes were noted already. */
  private void rest(int start, int count, String name, String meaning, long[] values)
      throws MalformedCellException {
    int from = in.position();
    ByteReader whole = new ByteReader(bytes, start, from + in.remaining());
    integers.read(whole, bytes, count, values);
    in.skip(whole.position() - from);
    note(from, name, meaning);
  }

  /** Notes a double run. */
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
      integers("places of the others", others);
      skip(others * Long.BYTES, "others", "raw bits of " + others + " doubles");
    }
    ByteReader whole = new ByteReader(bytes, start, in.position() + in.remaining());
    doubles.read(whole, bytes, count, new long[count]);
    if (whole.position() != in.position()) {
      throw new IllegalStateException(
          "fields end at " + in.position() + ", the run at " + whole.position());
    }
  }

  /** The runs of slots of offsets with holes. */
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
