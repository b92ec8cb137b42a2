package io.packhorse.loader.cli;

import io.packhorse.loader.job.JobShard;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code --shard}: one of the loaders of a job. */
final class ShardOption {
  @Option(
      names = "--shard",
      paramLabel = "I/N",
      converter = Converter.class,
      description = "Only shard I of the job's N, such as 2/4.")
  private @Nullable JobShard shard;

  /** The shard named, if one is. */
  Optional<JobShard> shard() {
    return Optional.ofNullable(shard);
  }

  /** Reads {@code 2/4}. */
  static final class Converter implements ITypeConverter<JobShard> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,4})/(\\d{1,4})");

    @Override
    public JobShard convert(String text) {
      Matcher form = FORM.matcher(text);
      if (form.matches()) {
        int number = Integer.parseInt(form.group(1));
        int count = Integer.parseInt(form.group(2));
        if (number >= 1 && number <= count) {
          return new JobShard(number, count);
        }
      }
      throw new TypeConversionException(
          "'" + text + "' is not a shard: write 1/4, 2/4, 3/4 and 4/4 for four loaders");
    }
  }
}
