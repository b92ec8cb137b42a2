package io.packhorse.loader.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packhorse.loader.source.input.Input;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InputBytesTest {
  @Test
  void countsWhatIsReadOfAllInputs() throws Exception {
    InputBytes bytes = new InputBytes(List.of(input(60), input(40)));
    assertEquals(0, bytes.share());
    try (InputStream first = bytes.inputs().get(0).opener().open()) {
      assertEquals(60, first.readAllBytes().length);
    }
    assertEquals(0.6, bytes.share());
    try (InputStream second = bytes.inputs().get(1).opener().open()) {
      second.skipNBytes(20);
      assertEquals(0, second.read());
    }
    assertEquals(0.81, bytes.share());
    assertEquals(81, bytes.read());
  }

  @Test
  void doesNotKnowTheShareOfAPipe() {
    assertEquals(-1, new InputBytes(List.of(input(60), input(-1))).share());
    assertEquals(1, new InputBytes(List.of(input(0))).share());
  }

  private static Input input(int size) {
    return new Input("test", size, () -> new ByteArrayInputStream(new byte[Math.max(0, size)]));
  }
}
