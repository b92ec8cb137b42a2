package io.packhorse.schema.key;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SeriesMetaRowTest {
  @Test
  void theObjectHasTsuidAndTime() {
    assertEquals(
        "{\"tsuid\":\"00000A0F00FF80\",\"displayName\":\"\",\"description\":\"\",\"notes\":\"\","
            + "\"created\":1704067200,\"custom\":null,\"units\":\"\",\"dataType\":\"\","
            + "\"retention\":0,\"max\":\"NaN\",\"min\":\"NaN\"}",
        new String(
            SeriesMetaRow.object(
                new byte[] {0, 0, 10, 15, 0, (byte) 0xff, (byte) 0x80}, 1_704_067_200),
            StandardCharsets.US_ASCII));
  }
}
