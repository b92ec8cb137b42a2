package io.packhorse.schema.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.ByteWriter;
import io.packhorse.schema.bytes.MalformedCellException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import net.opentsdb.core.IllegalDataException;
import net.opentsdb.core.StockOpenTsdb;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

/** Our cells against those of the published OpenTSDB, written and read. */
class CompactedCellOpenTsdbTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final byte[] APPEND = {5, 0, 0};

  private final StockOpenTsdb stock = new StockOpenTsdb();

  private static PointBlock decode(byte[] qualifier, byte[] value) throws MalformedCellException {
    PointBlock block = new PointBlock(0);
    CompactedCell.decode(qualifier, value, block);
    return block;
  }

  private KeyValue ours(PointBlock block) {
    ByteWriter qualifiers = new ByteWriter(0);
    ByteWriter values = new ByteWriter(0);
    CompactedCell.encode(block, qualifiers, values);
    return stock.column(qualifiers.toByteArray(), values.toByteArray());
  }

  /** Equal points; a float NaN may lose its signal on the way through OpenTSDB. */
  private static void assertSamePoints(PointBlock expected, PointBlock actual, String where) {
    assertEquals(quiet(expected), quiet(actual), where);
  }

  private static PointBlock quiet(PointBlock block) {
    PointBlock copy = new PointBlock(block.count());
    for (int i = 0; i < block.count(); i++) {
      long bits = block.values()[i];
      boolean isDouble = block.isDouble()[i];
      boolean isNaN = isDouble && Double.isNaN(Double.longBitsToDouble(bits));
      copy.add(block.offsetsMs()[i], isNaN ? bits | 1L << 51 : bits, isDouble);
    }
    return copy;
  }

  @Test
  void writesWhatCompactionMakesOfSinglePoints() {
    for (long seed = 1; seed <= 150; seed++) {
      PointBlock block = RandomBlocks.block(seed);
      List<KeyValue> row = stock.puts(block);
      Collections.shuffle(row, new Random(seed));
      KeyValue theirs = stock.compact(row);
      KeyValue ours = ours(block);
      assertEquals(
          HEX.formatHex(theirs.qualifier()), HEX.formatHex(ours.qualifier()), "seed=" + seed);
      assertEquals(HEX.formatHex(theirs.value()), HEX.formatHex(ours.value()), "seed=" + seed);
    }
  }

  @Test
  void writesColumnsThatCompactionMergesAndLeavesAlone() {
    for (long seed = 1; seed <= 150; seed++) {
      Random random = new Random(seed);
      PointBlock block = RandomBlocks.block(seed);
      List<PointBlock> parts = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        parts.add(new PointBlock(0));
      }
      for (int i = 0; i < block.count(); i++) {
        parts
            .get(random.nextInt(4))
            .add(block.offsetsMs()[i], block.values()[i], block.isDouble()[i]);
      }
      List<KeyValue> row = new ArrayList<>();
      for (PointBlock part : parts) {
        if (part.count() > 0) {
          row.add(ours(part));
        }
      }
      KeyValue merged = stock.compact(row);
      KeyValue ours = ours(block);
      KeyValue again = stock.compact(List.of(ours));
      assertEquals(
          HEX.formatHex(ours.qualifier()), HEX.formatHex(merged.qualifier()), "seed=" + seed);
      assertEquals(HEX.formatHex(ours.value()), HEX.formatHex(merged.value()), "seed=" + seed);
      assertEquals(
          HEX.formatHex(ours.qualifier()), HEX.formatHex(again.qualifier()), "seed=" + seed);
      assertEquals(HEX.formatHex(ours.value()), HEX.formatHex(again.value()), "seed=" + seed);
    }
  }

  @Test
  void writesColumnsThatQueriesAndToolsRead() {
    for (long seed = 1; seed <= 150; seed++) {
      PointBlock block = RandomBlocks.block(seed);
      assertSamePoints(block, stock.query(ours(block)), "seed=" + seed);
      assertSamePoints(block, stock.extract(ours(block)), "seed=" + seed);
    }
  }

  @Test
  void readsAppendColumnsAsQueriesDo() throws MalformedCellException {
    for (long seed = 1; seed <= 150; seed++) {
      Random random = new Random(seed);
      List<KeyValue> puts = stock.puts(RandomBlocks.block(seed));
      // Other values at times that came before.
      List<KeyValue> later = stock.puts(RandomBlocks.block(seed + 1));
      puts.addAll(later.subList(0, random.nextInt(later.size())));
      if (random.nextBoolean()) {
        Collections.shuffle(puts, random);
      }
      ByteWriter value = new ByteWriter(0);
      for (KeyValue put : puts) {
        value.writeBytes(put.qualifier(), 0, put.qualifier().length);
        value.writeBytes(put.value(), 0, put.value().length);
      }
      byte[] bytes = value.toByteArray();
      assertSamePoints(
          stock.query(stock.column(APPEND, bytes)), decode(APPEND, bytes), "seed=" + seed);
    }
  }

  @Test
  void readsTheOldMistakesAsQueriesDo() throws MalformedCellException {
    String[][] columns = {
      {"0017", "fe"},
      {"0010", "fffffffe"},
      {"001f", "3fc00000"},
      {"0018", "3fc00000"},
      {"0018", "3ff8000000000000"},
      {"001b", "000000003fc00000"},
      {"00000010", "0102"},
      {"000000100010", "01020200"},
      {"0000f000fa40", "0102ff"}
    };
    for (String[] column : columns) {
      byte[] qualifier = HEX.parseHex(column[0]);
      byte[] value = HEX.parseHex(column[1]);
      PointBlock points = decode(qualifier, value);
      assertEquals(stock.query(stock.column(qualifier, value)), points, column[0]);
    }
  }

  @Test
  void rejectsWhatOpenTsdbRejects() {
    String[][] columns = {
      {"001b", "000000013fc00000"}, {"00000011", "0102"}, {"00000010", "01020000"},
      {"000000100010", "01020300"}, {"0010", "010203"}, {"00000012", "0102030400"}
    };
    for (String[] column : columns) {
      byte[] qualifier = HEX.parseHex(column[0]);
      byte[] value = HEX.parseHex(column[1]);
      KeyValue stored = stock.column(qualifier, value);
      assertThrows(
          IllegalDataException.class,
          () -> {
            stock.extract(stored);
            stock.query(stored);
          },
          column[0]);
      assertThrows(MalformedCellException.class, () -> decode(qualifier, value), column[0]);
    }
  }

  /**
   * Random columns, close to lawful: what we read, OpenTSDB's tools read alike; what we reject,
   * they reject too, or it breaks one of three rules that they do not check.
   */
  @Test
  void agreesWithTheToolsOnColumnsOfChance() {
    Random random = new Random(23);
    int read = 0;
    int rejected = 0;
    for (int round = 0; round < 300_000; round++) {
      byte[] qualifier = chanceQualifier(random);
      if (qualifier[0] == 5) {
        // 80 to 95 s: the tools take any such column for an append column.
        continue;
      }
      byte[] value = new byte[random.nextInt(3) == 0 ? 1 : random.nextInt(20)];
      random.nextBytes(value);
      String where = "round=" + round + " " + HEX.formatHex(qualifier) + " " + HEX.formatHex(value);
      PointBlock theirs = null;
      try {
        theirs = stock.extract(stock.column(qualifier, value));
      } catch (RuntimeException e) {
        // Rejected: in many ways, index errors among them.
      }
      try {
        PointBlock ours = decode(qualifier, value);
        read++;
        if (theirs == null) {
          // Queries, unlike the tools, take a compacted column without its last byte.
          theirs = stock.extract(stock.column(qualifier, Arrays.copyOf(value, value.length + 1)));
        }
        assertSamePoints(theirs, ours, where);
      } catch (MalformedCellException e) {
        rejected++;
        String rule = String.valueOf(e.getMessage());
        assertTrue(
            theirs == null
                || rule.contains("different values")
                || rule.contains("value must end with its last point")
                || rule.contains("must have 1, 2, 4 or 8 bytes"),
            where + ": " + rule);
      }
    }
    assertTrue(read > 20_000 && rejected > 20_000, "read=" + read + ", rejected=" + rejected);
  }

  private static byte[] chanceQualifier(Random random) {
    int points = 1 + random.nextInt(4);
    ByteWriter writer = new ByteWriter(0);
    for (int i = 0; i < points; i++) {
      int flags =
          random.nextInt(8) == 0
              ? random.nextInt(16)
              : "013\7\13\17".charAt(random.nextInt(6)) & 15;
      int offset = random.nextInt(4) == 0 ? random.nextInt(PointBlock.HOUR_MS + 1000) : i * 1000;
      if (random.nextInt(3) == 0) {
        int word = Qualifier.ofMillis(offset, flags);
        writer.writeByte(word >>> 24);
        writer.writeByte(word >>> 16);
        writer.writeByte(word >>> 8);
        writer.writeByte(word);
      } else {
        int word = Qualifier.ofSeconds(offset / 1000, flags);
        writer.writeByte(word >>> 8);
        writer.writeByte(word);
      }
    }
    return writer.toByteArray();
  }
}
