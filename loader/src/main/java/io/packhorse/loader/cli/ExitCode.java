package io.packhorse.loader.cli;

import io.packhorse.loader.load.LoadResult;
import io.packhorse.loader.load.OperationException;
import io.packhorse.loader.loadtest.LoadTestResult;
import java.util.Locale;

/** How a command ends; the numbers are part of the interface (docs/operations.md). */
public enum ExitCode {
  /** Done. */
  OK(0),
  /** A fault of Packhorse itself. */
  INTERNAL(1),
  /** Options or configuration that make no sense. */
  USAGE(2),
  /** Done, but some lines were rejected. */
  REJECTS(3),
  /** Stopped: more than --max-rejects, --max-replaced or --max-new-names allows. */
  TOO_MANY_REJECTS(4),
  /** The cluster cannot be reached, or a write failed after all retries. */
  CLUSTER(5),
  /** What was read back differs from what was loaded. */
  VERIFICATION(6),
  /** Refused before anything was written. */
  PREFLIGHT(7),
  /** Done, but many points of the load replaced each other. */
  REPLACED(8),
  /** A load test missed a limit. */
  MISSED(9),
  /** The generator of a load test was late, so that its figures mean nothing. */
  INVALID(10),
  /** Ctrl-C. */
  INTERRUPTED(130);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  /** How a command ends that fails in this way. */
  static ExitCode of(OperationException.Kind kind) {
    return switch (kind) {
      case INTERNAL -> INTERNAL;
      case USAGE -> USAGE;
      case TOO_MANY_REJECTS, TOO_MANY_REPLACED, TOO_MANY_NEW_NAMES -> TOO_MANY_REJECTS;
      case CLUSTER -> CLUSTER;
      case VERIFICATION -> VERIFICATION;
      case REFUSED -> PREFLIGHT;
      case INTERRUPTED -> INTERRUPTED;
    };
  }

  /** How a load has ended that has stored everything. */
  static ExitCode of(LoadResult result) {
    if (result.asksAboutReplaced()) {
      return REPLACED;
    }
    return result.outcome().rejected() == 0 ? OK : REJECTS;
  }

  /** How a load test has ended. */
  static ExitCode of(LoadTestResult.Verdict verdict) {
    return switch (verdict) {
      case PASSED -> OK;
      case MISSED -> MISSED;
      case WRONG_DATA -> VERIFICATION;
      case INVALID -> INVALID;
    };
  }

  /** One word for programs. */
  @Override
  public String toString() {
    return switch (this) {
      case TOO_MANY_REJECTS -> "limit";
      case PREFLIGHT -> "refused";
      default -> name().toLowerCase(Locale.ROOT);
    };
  }

  /** The process's exit status. */
  public int code() {
    return code;
  }
}
