package io.packhorse.schema.packed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packhorse.schema.bytes.MalformedCellException;
import io.packhorse.schema.cell.PointBlock;
import java.nio.file.Files;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cells written down: decoder and reference decoder agree on them and on all small damage. */
class VectorsTest {
  private final PackedCellDecoder decoder = new PackedCellDecoder();
  private final PointBlock back = new PointBlock();

  @Test
  void validOnesAreTheirPoints() throws Exception {
    for (Vector vector : Vector.all("valid")) {
      decoder.decode(vector.cell(), back);
      assertEquals(vector.points(), back, vector.file());
      assertEquals(vector.points().doubles(), back.doubles(), vector.file());
      assertEquals(vector.points(), ReferenceDecoder.decode(vector.cell()), vector.file());
    }
  }

  @Test
  void malformedOnesNameTheirOffset() throws Exception {
    for (Vector vector : Vector.all("malformed")) {
      MalformedCellException e =
          assertThrows(
              MalformedCellException.class,
              () -> decoder.decode(vector.cell(), back),
              vector.file());
      assertEquals(vector.malformedAt(), e.offset(), vector.file() + ": " + e);
      assertThrows(
          ReferenceDecoder.Rejected.class,
          () -> ReferenceDecoder.decode(vector.cell()),
          vector.file());
    }
  }

  @Test
  @Tag("exhaustive")
  void decodersAgreeOnEveryTruncationAndFlippedBit() throws Exception {
    for (String folder : new String[] {"valid", "malformed"}) {
      for (Vector vector : Vector.all(folder)) {
        byte[] cell = vector.cell();
        for (int length = 0; length < cell.length; length++) {
          assertAgree(Arrays.copyOf(cell, length), vector.file() + ", length " + length);
        }
        for (int bit = 0; bit < 8 * cell.length; bit++) {
          byte[] damaged = cell.clone();
          damaged[bit >> 3] ^= (byte) (1 << (bit & 7));
          assertAgree(damaged, vector.file() + ", bit " + bit);
        }
      }
    }
  }

  @Test
  @Tag("exhaustive")
  void everyFlippedBitOfACellWithAChecksumIsMalformed() throws Exception {
    int cells = 0;
    for (Vector vector : Vector.all("valid")) {
      byte[] cell = vector.cell();
      if (!PackedCellHeader.parse(cell).checksum()) {
        continue;
      }
      cells++;
      for (int bit = 0; bit < 8 * cell.length; bit++) {
        byte[] damaged = cell.clone();
        damaged[bit >> 3] ^= (byte) (1 << (bit & 7));
        assertFalse(decodes(damaged), vector.file() + ", bit " + bit);
      }
    }
    assertTrue(cells > 10, "cells with a checksum: " + cells);
  }

  @Test
  void decodersAgreeOnSeededBlocksAndDamage() {
    long blocks = Long.getLong("packhorse.reference.blocks", 2000);
    PackedCellEncoder encoder = new PackedCellEncoder();
    java.util.SplittableRandom random = new java.util.SplittableRandom(77);
    for (long seed = 1000; blocks > 0; seed++) {
      for (BlockShapes.Shape shape : BlockShapes.all(seed)) {
        if (shape.block().count() > 3600) {
          continue;
        }
        String message = "seed " + seed + ", " + shape;
        byte[] cell = encoder.encode(shape.block());
        assertEquals(shape.block(), ReferenceDecoder.decode(cell), message);
        assertAgree(cell, message);
        int at = random.nextInt(Math.min(cell.length, random.nextBoolean() ? 24 : cell.length));
        cell[at] ^= (byte) (1 << random.nextInt(8));
        assertAgree(withChecksum(cell), message + ", byte " + at);
        blocks--;
      }
    }
  }

  @Test
  void noneWasChanged() throws Exception {
    assertEquals(
        Files.readString(Vector.ROOT.resolve("SHA256SUMS")),
        VectorWriter.sums(),
        "vectors are only added; run VectorWriter after adding");
  }

  /** The encoder may change its mind; then a new vector shows the new form beside the old one. */
  @Test
  void theEncoderStillWritesMostOfThem() throws Exception {
    int same = 0;
    int all = 0;
    for (Vector vector : Vector.all("valid")) {
      all++;
      if (Arrays.equals(vector.cell(), new PackedCellEncoder().encode(vector.points()))) {
        same++;
      }
    }
    assertTrue(2 * same > all, same + " of " + all);
  }

  /** Makes the checksum right again where the flags say that there is one. */
  private static byte[] withChecksum(byte[] cell) {
    int flags = cell[1] & 0xff;
    if (cell[0] == (byte) 0xA1 && flags < 0x20 && (flags & 0x10) != 0 && cell.length > 8) {
      java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
      crc.update(cell, 0, cell.length - 4);
      for (int i = 0; i < 4; i++) {
        cell[cell.length - 4 + i] = (byte) (crc.getValue() >>> (8 * i));
      }
    }
    return cell;
  }

  private void assertAgree(byte[] cell, String message) {
    PointBlock expected = new PointBlock(0);
    boolean valid = true;
    try {
      expected = ReferenceDecoder.decode(cell);
    } catch (ReferenceDecoder.Rejected e) {
      valid = false;
    }
    assertEquals(valid, decodes(cell), message);
    if (valid) {
      assertEquals(expected, back, message);
    }
  }

  private boolean decodes(byte[] cell) {
    byte[] before = cell.clone();
    try {
      decoder.decode(cell, back);
      return true;
    } catch (MalformedCellException e) {
      assertTrue(e.offset() >= 0 && e.offset() <= cell.length, e.toString());
      return false;
    } finally {
      assertArrayEquals(before, cell, "the cell is only read");
    }
  }
}
