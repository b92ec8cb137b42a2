package io.packhorse.loader.resolve;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The UIDs of a list of tag keys, in the order that a TSUID has them.
 *
 * @param uids unsigned, rising
 * @param places of each in the list
 */
@SuppressWarnings("ArrayRecordComponent") // neither compared nor handed out
record TagKeyUids(long[] uids, int[] places) {
  /**
   * Sorts them.
   *
   * @param uids of the list, in its order
   */
  static TagKeyUids of(long[] uids) {
    int[] places =
        IntStream.range(0, uids.length)
            .boxed()
            .sorted(Comparator.comparing(place -> uids[place], Long::compareUnsigned))
            .mapToInt(Integer::intValue)
            .toArray();
    return new TagKeyUids(IntStream.of(places).mapToLong(place -> uids[place]).toArray(), places);
  }

  /** How many keys there are. */
  int size() {
    return uids.length;
  }

  /** The UID of a key. */
  long uid(int tag) {
    return uids[tag];
  }

  /** Its place in the list. */
  int place(int tag) {
    return places[tag];
  }
}
