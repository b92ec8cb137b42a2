package io.packhorse.loader.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was understood of the inputs.
 *
 * @param readings how each kind of input is read
 * @param notes what was passed over, what paths mean, and warnings
 */
public record InputFindings(List<InputReading> readings, List<Note> notes) {
  /** Of generated points. */
  static final InputFindings NONE = new InputFindings(List.of(), List.of());

  /**
   * A fact that was said of the inputs.
   *
   * @param topic one word
   * @param sentence about it
   */
  public record Note(String topic, String sentence) {
    Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("topic", topic);
      json.put("text", sentence);
      return json;
    }
  }

  public InputFindings {
    readings = List.copyOf(readings);
    notes = List.copyOf(notes);
  }

  /** Each with its name or topic, for a report. */
  List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    readings.forEach(each -> rows.add(List.of(each.input(), each.description())));
    notes.forEach(each -> rows.add(List.of(each.topic(), each.sentence())));
    return rows;
  }

  /** Adds them to a result, for programs. */
  public void putInto(Map<String, Object> json) {
    json.put("inputs", readings.stream().map(InputReading::json).toList());
    json.put("notes", notes.stream().map(Note::json).toList());
  }
}
