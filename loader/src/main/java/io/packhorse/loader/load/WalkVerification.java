package io.packhorse.loader.load;

import io.packhorse.loader.load.OperationException.Kind;
import io.packhorse.loader.source.generated.WalkSpec;
import io.packhorse.loader.verify.VerifyReport;
import io.packhorse.loader.verify.WalkVerifier;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Reads generated points back, whoever has stored them. */
public record WalkVerification(StoreConnection from, WalkSpec spec, Announcer announcer) {
  /**
   * Compares every point, a thread for each core.
   *
   * @throws OperationException CLUSTER if the store cannot be read
   */
  public VerifyReport run() throws InterruptedException {
    WalkVerifier verifier =
        new WalkVerifier(spec, from.layout().rowKeys(), from.rows(), from.knownUids());
    ExecutorService executor =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try (Announcer.Progress progress =
        announcer.progress(
            () ->
                new Announcer.Status(
                    "verify",
                    (double) verifier.checkedPoints() / spec.totalPoints(),
                    OptionalDouble.empty(),
                    List.of(
                        HumanNumbers.count(verifier.checkedPoints())
                            + " points of "
                            + HumanNumbers.count(spec.totalPoints()))))) {
      return verifier.verify(executor);
    } catch (IOException e) {
      throw new OperationException(
          Kind.CLUSTER, "Cannot read the store: " + Causes.sentence(e) + ".", e);
    } finally {
      executor.shutdownNow();
    }
  }
}
