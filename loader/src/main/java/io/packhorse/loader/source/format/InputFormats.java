package io.packhorse.loader.source.format;

import io.packhorse.loader.source.parquet.TableChooser;
import io.packhorse.loader.source.text.FormatChooser;

/** Decides how inputs of all kinds are read. */
public interface InputFormats extends FormatChooser, TableChooser {}
