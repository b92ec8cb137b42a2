package io.packhorse.loader.source.parquet;

import io.packhorse.loader.source.input.DamagedInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputDecompressor;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.apache.parquet.schema.PrimitiveType;
import org.jspecify.annotations.Nullable;

/**
 * The pages of one column in one row group. One at a time is in memory: the library's own reader
 * keeps a row group, which may be the whole file. One thread.
 *
 * <p>Damage is an unchecked {@link DamagedInputException}; so are failures of the file.
 */
final class ColumnPages implements PageReader {
  /** Writers make pages of about 1 MiB; a greater length than this means damage. */
  private static final int PAGE_BYTES_MAX = 1 << 28;

  private final FileBytes bytes;
  private final BytesInputDecompressor codec;
  private final Statistics<?> noStatistics;
  private final long values;
  private @Nullable PageHeader next;

  /**
   * @param bytes from the column's first page on
   * @param values of the column in this row group, nulls among them
   */
  ColumnPages(FileBytes bytes, BytesInputDecompressor codec, PrimitiveType type, long values) {
    this.bytes = bytes;
    this.codec = codec;
    this.noStatistics = Statistics.createStats(type);
    this.values = values;
  }

  @Override
  public long getTotalValueCount() {
    return values;
  }

  @Override
  public @Nullable DictionaryPage readDictionaryPage() {
    try {
      PageHeader header = header();
      if (header.getType() != PageType.DICTIONARY_PAGE) {
        return null;
      }
      next = null;
      byte[] compressed = readBytes(header);
      DictionaryPageHeader page = stated(header.getDictionary_page_header());
      if (page.getNum_values() < 0 || page.getNum_values() > header.getUncompressed_page_size()) {
        throw new DamagedInputException("a dictionary says that it has " + page.getNum_values());
      }
      return new DictionaryPage(
          decompressed(compressed, 0, header.getUncompressed_page_size()),
          page.getNum_values(),
          encoding(page.getEncoding()));
    } catch (IOException e) {
      throw damaged(e);
    }
  }

  @Override
  public DataPage readPage() {
    try {
      while (true) {
        PageHeader header = header();
        next = null;
        byte[] compressed = readBytes(header);
        if (header.getType() == PageType.DATA_PAGE) {
          return first(header, compressed);
        }
        if (header.getType() == PageType.DATA_PAGE_V2) {
          return second(header, compressed);
        }
      }
    } catch (IOException e) {
      throw damaged(e);
    }
  }

  private DataPage first(PageHeader header, byte[] compressed) throws IOException {
    DataPageHeader page = stated(header.getData_page_header());
    return new DataPageV1(
        decompressed(compressed, 0, header.getUncompressed_page_size()),
        page.getNum_values(),
        header.getUncompressed_page_size(),
        noStatistics,
        encoding(page.getRepetition_level_encoding()),
        encoding(page.getDefinition_level_encoding()),
        encoding(page.getEncoding()));
  }

  /** Its levels are never compressed. */
  private DataPage second(PageHeader header, byte[] compressed) throws IOException {
    DataPageHeaderV2 page = stated(header.getData_page_header_v2());
    int repetition = page.getRepetition_levels_byte_length();
    int definition = page.getDefinition_levels_byte_length();
    if (repetition < 0 || definition < 0 || repetition > compressed.length - definition) {
      throw new DamagedInputException("levels are longer than their page");
    }
    int levels = repetition + definition;
    return DataPageV2.uncompressed(
        page.getNum_rows(),
        page.getNum_nulls(),
        page.getNum_values(),
        BytesInput.from(compressed, 0, repetition),
        BytesInput.from(compressed, repetition, definition),
        encoding(page.getEncoding()),
        page.isIs_compressed()
            ? decompressed(compressed, levels, header.getUncompressed_page_size() - levels)
            : BytesInput.from(compressed, levels, compressed.length - levels),
        noStatistics);
  }

  private PageHeader header() throws IOException {
    PageHeader header = next;
    if (header == null) {
      header = Util.readPageHeader(bytes);
      next = header;
    }
    return header;
  }

  private byte[] readBytes(PageHeader header) throws IOException {
    int length = header.getCompressed_page_size();
    int uncompressed = header.getUncompressed_page_size();
    if (length < 0 || length > bytes.left() || uncompressed < 0 || uncompressed > PAGE_BYTES_MAX) {
      throw new DamagedInputException("a page says that it has " + length + " bytes");
    }
    byte[] compressed = bytes.readNBytes(length);
    if (compressed.length < length) {
      throw new DamagedInputException("a page is cut short");
    }
    if (header.isSetCrc()) {
      CRC32 crc = new CRC32();
      crc.update(compressed);
      if ((int) crc.getValue() != header.getCrc()) {
        throw new DamagedInputException("the checksum of a page is wrong");
      }
    }
    return compressed;
  }

  private BytesInput decompressed(byte[] compressed, int from, int length) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(compressed, from, compressed.length - from);
    ByteBuffer out = ByteBuffer.allocate(length);
    if (length > 0) {
      codec.decompress(in, in.remaining(), out, length);
    }
    if (out.hasRemaining()) {
      throw new DamagedInputException("a page is cut short");
    }
    return BytesInput.from(out.flip());
  }

  private static <T> T stated(@Nullable T field) throws DamagedInputException {
    if (field == null) {
      throw new DamagedInputException("the header of a page is not whole");
    }
    return field;
  }

  private static Encoding encoding(org.apache.parquet.format.@Nullable Encoding encoding)
      throws DamagedInputException {
    return Encoding.valueOf(stated(encoding).name());
  }

  private static UncheckedIOException damaged(IOException e) {
    IOException damage =
        e instanceof DamagedInputException
            ? e
            : new DamagedInputException(String.valueOf(e.getMessage()));
    return new UncheckedIOException(damage);
  }
}
