/** How columns read into the forms that the domain uses. */
import { fromDateTime, Instant } from "@quittance/domain/Instant"
import { DateTime, Schema, SchemaGetter } from "effect"

/** `timestamptz`, read as the canonical text of an instant. */
export const InstantColumn = Schema.Date.pipe(
  Schema.decodeTo(Instant, {
    decode: SchemaGetter.transform((date) => fromDateTime(DateTime.fromDateUnsafe(date))),
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
