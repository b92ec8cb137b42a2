package io.packhorse.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/**
 * Objects of the load as bytes. Where driver and tasks share a process, Spark would hand over the
 * object itself, whose class the class loader of the other side may have loaded.
 */
final class SentObject {
  private SentObject() {}

  static byte[] write(Serializable object) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(content)) {
      out.writeObject(object);
    }
    return content.toByteArray();
  }

  /**
   * Reads what {@link #write} gave.
   *
   * @throws IOException if it is something else
   */
  static <T> T read(byte[] content, Class<T> kind) throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(content))) {
      return kind.cast(in.readObject());
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new IOException("driver and tasks have different versions of Packhorse", e);
    }
  }
}
