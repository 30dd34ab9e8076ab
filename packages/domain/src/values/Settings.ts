/**
 * What programs read from environment variables, beyond what `Config` offers: bounded, and refused in
 * words that say what the variable takes.
 */
import { Config, Duration, Option, Schema } from "effect"

/** A variable that only turned out to be wrong once it was used. */
export class WrongSetting extends Schema.TaggedError<WrongSetting>()("WrongSetting", {
  variable: Schema.String,
  /** What the variable takes, as the end of a sentence that begins with “expected”. */
  takes: Schema.String
}) {
  override get message() {
    return `The variable ${this.variable} is missing or wrong: expected ${this.takes}.`
  }
}

/** A whole number within bounds, both of which it may take. */
export const count = (name: string, { maximum, minimum }: Bounds): Config.Config<number> =>
  Config.map(
    Config.schema(
      Schema.String.check(
        Schema.makeFilter(
          (text) => /^\d{1,9}$/u.test(text) && Number(text) >= minimum && Number(text) <= maximum,
          { message: `Expected a whole number from ${minimum} to ${maximum}` }
        )
      ),
      name
    ),
    Number
  )

interface Bounds {
  readonly minimum: number
  readonly maximum: number
}

const decodeDuration = Schema.decodeUnknownOption(Schema.DurationFromString)
const longest = Duration.days(1)

const isLength = (text: string): boolean =>
  Option.exists(
    decodeDuration(text),
    (duration) => Duration.toMillis(duration) >= 1 && !Duration.isGreaterThan(duration, longest)
  )

const Length = Schema.String.check(
  Schema.makeFilter(isLength, {
    message: "Expected a time from 1 millisecond to 1 day, such as 10 seconds"
  })
).pipe(Schema.decodeTo(Schema.DurationFromString))

/** A length of time from a millisecond to a day, such as `30 seconds`. */
export const duration = (name: string): Config.Config<Duration.Duration> =>
  Config.schema(Length, name)
