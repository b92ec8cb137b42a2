package io.packhorse.loader.report;

/**
 * State of a load at one moment. Counts are totals; durations are of the calls that ended since the
 * sample before.
 *
 * @param seconds since this run began
 * @param points acknowledged points, including earlier runs of the job; packed points where the
 *     store acknowledges late (HFiles, and Puts without the write-ahead log)
 * @param packed points in cells written to the sink
 * @param cells cells written to the sink
 * @param cellBytes row keys, qualifiers and values of those cells
 * @param rejected rejected lines or fields
 * @param retries rows put again; a row counts each time
 * @param share of the input that is loaded, 0 to 1; negative if the size is unknown
 * @param inFlight calls to the store in flight
 * @param callMsMedian median duration of calls in ms; 0 if no call ended
 * @param callMs99 their 99th percentile in ms; 0 if no call ended
 * @param callMsMax the longest in ms; 0 if no call ended
 * @param cpuSeconds CPU time of this process
 * @param heapBytes heap in use
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
  /** Merges this sample with the one before: counts of this one, the greater durations of both. */
  Sample mergedWith(Sample before) {
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

  /** Bytes per point, keys included; 0 before the first cell. */
  public double bytesPerPoint() {
    return packed == 0 ? 0 : (double) cellBytes / packed;
  }
}
