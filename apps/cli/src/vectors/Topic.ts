import { Schema } from "effect"

/** What a topic makes of the input of a case; it throws where the code refuses. */
export type Topic = (input: unknown) => unknown

/** A topic whose input has a schema. */
export const topic =
  <S extends Schema.Codec<unknown, unknown>>(
    schema: S,
    run: (input: S["Type"]) => unknown
  ): Topic =>
  (input) =>
    run(Schema.decodeUnknownSync(schema)(input))
