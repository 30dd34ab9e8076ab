/** How columns read into the forms that the domain uses. */
import { Instant } from "@quittance/domain/values/Instant"
import { DateTime, Schema, SchemaGetter } from "effect"

/** `timestamptz`, read as the canonical text of an instant. */
export const InstantColumn = Schema.Date.pipe(
  Schema.decodeTo(Instant, {
    // The text of a date is the canonical one.
    decode: SchemaGetter.transform((date) => date.toISOString() as Instant),
    encode: SchemaGetter.transform((instant) => DateTime.toDateUtc(DateTime.makeUnsafe(instant)))
  })
)

/** `bigint` or `count(*)`, within the safe integers. */
export const IntColumn = Schema.BigInt.pipe(
  Schema.decodeTo(Schema.Int, {
    decode: SchemaGetter.transform(Number),
    encode: SchemaGetter.transform(BigInt)
  })
)

/** An instant as a parameter. */
export const toDate = (instant: Instant): Date => DateTime.toDateUtc(DateTime.makeUnsafe(instant))

// Both literals have the canonical form; a row that nothing ends is read at any instant before.
export const endOfTime = "9999-12-31T23:59:59.999Z" as Instant
export const lastInstant = "9999-12-31T23:59:59.998Z" as Instant
