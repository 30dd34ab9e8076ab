import { Schema } from "effect"

/** Why a document can't be made. The first four stay as they are until its data or template change. */
export const RenderingFailure = Schema.Literals([
  /** A text has a character that the fonts lack; `paths` are JSON pointers into the model. */
  "UNPRINTABLE_TEXT",
  /** The template shows what the model does not have; `paths` are those that it names. */
  "MISSING_VALUE",
  /** It would have more than 200 pages. */
  "TOO_LONG",
  /** The layout does not know, or does not allow, what it was given. */
  "LAYOUT",
  /** It took more than ten seconds, three times. */
  "TIMEOUT",
  /** The renderer's process ended in the middle of it, or had to for its memory, three times. */
  "CRASHED"
])
export type RenderingFailure = typeof RenderingFailure.Type
