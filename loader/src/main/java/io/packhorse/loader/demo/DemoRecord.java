package io.packhorse.loader.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * What a demo has loaded and verified in a store directory; written last, so that it is there only
 * after a complete demo.
 *
 * @param days length of the history
 * @param points of all sensors
 * @param pointsPerSecond of the load
 * @param bytesPerPoint on disk, keys and index included
 */
public record DemoRecord(long days, long points, double pointsPerSecond, double bytesPerPoint) {
  private static final String FILE = "demo.json";

  static Optional<DemoRecord> read(Path store) throws IOException {
    Path file = store.resolve(FILE);
    return Files.exists(file)
        ? Optional.of(new ObjectMapper().readValue(file.toFile(), DemoRecord.class))
        : Optional.empty();
  }

  void write(Path store) throws IOException {
    Path temporary = store.resolve(FILE + ".new");
    new ObjectMapper().writeValue(temporary.toFile(), this);
    Files.move(temporary, store.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
  }
}
