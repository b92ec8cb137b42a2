package io.packhorse.loader.verify;

import java.util.List;
import java.util.stream.Stream;

/**
 * The result of comparing stored points with expected ones.
 *
 * @param expectedPoints points that should be stored
 * @param equalPoints points found with the right time, kind and bits
 * @param missingPoints expected and not found
 * @param wrongPoints found at the right time with another value or kind
 * @param extraPoints found and not expected
 * @param rows rows read
 * @param columns cells with points in those rows; more than rows where loads overlap
 * @param differences the first few differences, each a sentence
 */
public record VerifyReport(
    long expectedPoints,
    long equalPoints,
    long missingPoints,
    long wrongPoints,
    long extraPoints,
    long rows,
    long columns,
    List<String> differences) {
  private static final int DIFFERENCES_MAX = 10;

  /** The result of comparing nothing. */
  public static final VerifyReport NOTHING = new VerifyReport(0, 0, 0, 0, 0, 0, 0, List.of());

  /** The sums of both, with their first few differences. */
  public VerifyReport plus(VerifyReport other) {
    return new VerifyReport(
        expectedPoints + other.expectedPoints,
        equalPoints + other.equalPoints,
        missingPoints + other.missingPoints,
        wrongPoints + other.wrongPoints,
        extraPoints + other.extraPoints,
        rows + other.rows,
        columns + other.columns,
        Stream.concat(differences.stream(), other.differences.stream())
            .limit(DIFFERENCES_MAX)
            .toList());
  }

  /** Whether exactly the expected points are stored and every row could be read. */
  public boolean passed() {
    return equalPoints == expectedPoints
        && missingPoints == 0
        && wrongPoints == 0
        && extraPoints == 0
        && differences.isEmpty();
  }
}
