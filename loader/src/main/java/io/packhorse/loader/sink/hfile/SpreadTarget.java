package io.packhorse.loader.sink.hfile;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a process needs to write HFiles of a load that another one began; it needs no connection to
 * HBase. Immutable; its array must not be changed.
 *
 * @param folder of the load, as a URI
 * @param table the files are for
 * @param family of their cells
 * @param familyValues the settings of the family, as HBase names them
 * @param conf Hadoop's and HBase's settings
 * @param checksums whether each file is read once more for its CRC32C
 */
public record SpreadTarget(
    String folder,
    String table,
    String family,
    Map<String, String> familyValues,
    byte[] conf,
    boolean checksums)
    implements Serializable {
  private static final long serialVersionUID = 1;

  public SpreadTarget {
    familyValues = Map.copyOf(familyValues);
  }

  static SpreadTarget of(
      String folder,
      String table,
      ColumnFamilyDescriptor family,
      Configuration conf,
      boolean checksums)
      throws IOException {
    ByteArrayOutputStream settings = new ByteArrayOutputStream();
    conf.write(new DataOutputStream(settings));
    Map<String, String> values = new HashMap<>();
    family
        .getValues()
        .forEach(
            (key, value) -> values.put(Bytes.toString(key.get()), Bytes.toString(value.get())));
    return new SpreadTarget(
        folder, table, family.getNameAsString(), values, settings.toByteArray(), checksums);
  }

  Configuration configuration() throws IOException {
    Configuration read = new Configuration(false);
    read.readFields(new DataInputStream(new ByteArrayInputStream(conf)));
    return read;
  }

  ColumnFamilyDescriptor familyDescriptor() {
    ColumnFamilyDescriptorBuilder builder =
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family));
    familyValues.forEach(builder::setValue);
    return builder.build();
  }
}
