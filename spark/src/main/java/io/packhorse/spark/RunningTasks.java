package io.packhorse.spark;

import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/**
 * Knows which tasks of the jobs of one group run. A job of Spark's is over when one attempt of each
 * task has succeeded; a second attempt may still be writing then. Any thread.
 */
final class RunningTasks extends SparkListener {
  private final String group;
  private final Set<Integer> stages = new HashSet<>();
  private final Set<Integer> jobs = new HashSet<>();
  private final Set<Long> running = new HashSet<>();
  private int ended;

  RunningTasks(String group) {
    this.group = group;
  }

  @Override
  public synchronized void onJobStart(SparkListenerJobStart start) {
    if (isOurs(start.properties())) {
      jobs.add(start.jobId());
    }
  }

  // Not by the list of stages that a job begins with: it has another type for each Scala.
  @Override
  public synchronized void onStageSubmitted(SparkListenerStageSubmitted submitted) {
    if (isOurs(submitted.properties())) {
      stages.add(submitted.stageInfo().stageId());
    }
  }

  private boolean isOurs(Properties properties) {
    return group.equals(properties.getProperty(SparkWorkers.GROUP));
  }

  @Override
  public synchronized void onTaskStart(SparkListenerTaskStart start) {
    if (stages.contains(start.stageId())) {
      running.add(start.taskInfo().taskId());
    }
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    running.remove(end.taskInfo().taskId());
    notifyAll();
  }

  @Override
  public synchronized void onJobEnd(SparkListenerJobEnd end) {
    if (jobs.contains(end.jobId())) {
      ended++;
      notifyAll();
    }
  }

  /**
   * Waits until so many jobs have ended and no task of any of them runs.
   *
   * @return false if one still runs after that time
   */
  synchronized boolean await(int jobsWanted, int seconds) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (ended < jobsWanted || !running.isEmpty()) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (leftMs <= 0) {
        return false;
      }
      wait(leftMs);
    }
    return true;
  }
}
