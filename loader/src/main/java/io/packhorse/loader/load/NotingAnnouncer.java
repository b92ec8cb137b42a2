package io.packhorse.loader.load;

import io.packhorse.loader.load.InputFindings.Note;
import java.util.List;
import java.util.function.Supplier;

/**
 * Keeps what is said, and passes it on.
 *
 * @param notes gets it
 */
record NotingAnnouncer(List<Note> notes, Announcer announcer) implements Announcer {
  @Override
  public void say(String topic, String sentence) {
    notes.add(new Note(topic, sentence));
    announcer.say(topic, sentence);
  }

  @Override
  public void fail(String sentence) {
    announcer.fail(sentence);
  }

  @Override
  public Progress progress(Supplier<Status> status) {
    return announcer.progress(status);
  }
}
