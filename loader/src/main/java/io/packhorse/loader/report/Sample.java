package io.packhorse.loader.report;

/**
 * A load at one moment. Counts are from its begin on; times of calls are of those that ended since
 * the sample before.
 *
 * @param seconds since the begin of this run
 * @param points safe in the store or, of HFiles and what a flush brings to disk, packed; earlier
 *     runs of the job included
 * @param packed points in the cells written
 * @param cells written
 * @param cellBytes of these
 * @param rejected lines or fields that are no points
 * @param retries rows that were tried again, each as often as it was
 * @param share of the input that is read, 0 to 1; negative if nobody knows how much there is
 * @param inFlight calls to the store
 * @param callMsMedian 0 if no call has ended
 * @param callMs99 likewise
 * @param callMsMax likewise
 * @param cpuSeconds of this process
 * @param heapBytes in use
 */
public record Sample(
    double seconds,
    long points,
    long packed,
    long cells,
    long cellBytes,
    long rejected,
    long retries,
    double share,
    int inFlight,
    double callMsMedian,
    double callMs99,
    double callMsMax,
    double cpuSeconds,
    long heapBytes) {
  /** One for this sample and the one before it: the counts of this, the worse times of both. */
  Sample afterDropping(Sample before) {
    return new Sample(
        seconds,
        points,
        packed,
        cells,
        cellBytes,
        rejected,
        retries,
        share,
        Math.max(inFlight, before.inFlight),
        Math.max(callMsMedian, before.callMsMedian),
        Math.max(callMs99, before.callMs99),
        Math.max(callMsMax, before.callMsMax),
        cpuSeconds,
        Math.max(heapBytes, before.heapBytes));
  }

  /** Bytes a point, key included; 0 before the first cell. */
  public double bytesPerPoint() {
    return packed == 0 ? 0 : (double) cellBytes / packed;
  }
}
