package io.packhorse.loader.loadtest;

import java.util.ArrayList;
import java.util.List;

/** What checks of answers have found. Any number of threads. */
final class Findings {
  private static final int SENTENCES_MAX = 10;

  private long right;
  private long wrong;
  private long unchecked;
  private final List<String> sentences = new ArrayList<>();

  /** Counts an answer. */
  synchronized void add(String reader, Check.Found found) {
    switch (found.finding()) {
      case RIGHT -> right++;
      case UNCHECKED -> unchecked++;
      case WRONG -> {
        wrong++;
        if (sentences.size() < SENTENCES_MAX) {
          sentences.add(reader + ": " + found.sentence());
        }
      }
    }
  }

  synchronized long right() {
    return right;
  }

  synchronized long wrong() {
    return wrong;
  }

  synchronized long unchecked() {
    return unchecked;
  }

  /** The first of what is wrong. */
  synchronized List<String> sentences() {
    return List.copyOf(sentences);
  }
}
