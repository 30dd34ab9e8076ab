/**
 * How far people may go alone: the amounts that they may pay out or reserve, and the exceptions to rules
 * that they may grant. Authority belongs to a role and is held where the role is granted.
 */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"

/** What an amount of authority is for. */
export const AuthorityKind = Schema.Literals(["payout", "claimReserve", "claimPayment"])
export type AuthorityKind = typeof AuthorityKind.Type

/** The most by currency, in minor units: `{ "EUR": 500000 }`. A currency that is not named is none. */
export const AmountLimits = Schema.Record(
  Currency,
  Money.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
)
  .check(Schema.isMaxProperties(100))
  .annotate({ identifier: "AmountLimits" })
export type AmountLimits = typeof AmountLimits.Type

const name = Schema.NonEmptyString.check(Schema.isMaxLength(100))

/** Exceptions of a kind that a person may grant: alone, or as one of two. */
export const DerogationAuthority = Schema.Struct({
  kind: Schema.Literals(["RULE", "DISCOUNT", "FEE", "DATE"]),
  /** Only this rule of the product; absent: every rule. */
  ruleId: Schema.optionalKey(name),
  /** Only these products; absent: every product. */
  productIds: Schema.optionalKey(
    Schema.NonEmptyArray(name).check(Schema.isMaxLength(1000), Schema.isUnique())
  ),
  /** The bounds of the value that may be granted; absent: without a bound. */
  atMost: Schema.optionalKey(Schema.Finite),
  atLeast: Schema.optionalKey(Schema.Finite),
  /** How many people have to agree. */
  eyes: Schema.Literals([1, 2])
})
  .check(
    Schema.makeFilter(
      ({ kind, ruleId }) =>
        ruleId === undefined || kind === "RULE" || "Expected a ruleId only for the kind RULE"
    )
  )
  .annotate({ identifier: "DerogationAuthority" })
export type DerogationAuthority = typeof DerogationAuthority.Type

/** The same in an error, which describes it in place. */
const ToldDerogation = Schema.Struct(DerogationAuthority.fields)

/** The authority of a role. What it does not name is none. */
export const Authority = Schema.Struct({
  payout: Schema.optionalKey(AmountLimits),
  claimReserve: Schema.optionalKey(AmountLimits),
  claimPayment: Schema.optionalKey(AmountLimits),
  derogations: Schema.optionalKey(Schema.Array(DerogationAuthority).check(Schema.isMaxLength(100)))
}).annotate({ identifier: "Authority" })
export type Authority = typeof Authority.Type

/** The authority that a role has: some, or all there is. */
export type HeldAuthority = Authority | "UNLIMITED"

/** What authority does not reach, and how far it goes. */
export class AuthorityExceeded extends Schema.TaggedError<AuthorityExceeded>()(
  "AuthorityExceeded",
  {
    authority: Schema.Union([AuthorityKind, Schema.Literal("derogations")]),
    /** Of amounts. */
    currency: Schema.optionalKey(Currency),
    /** How far the caller's authority goes: an amount in minor units, or the exceptions of the kind. */
    limit: Schema.Union([Money, Schema.Array(ToldDerogation)]),
    /** How far it would have to go; absent: without a limit. */
    needed: Schema.optionalKey(Schema.Union([Money, ToldDerogation]))
  }
) {
  override get message() {
    return `The authority of your roles (${this.authority}) does not reach this; ask a person whose authority does.`
  }
}

/** Who asked for something can't approve it. */
export class SamePerson extends Schema.TaggedError<SamePerson>()("SamePerson", {}) {
  override get message() {
    return "You asked for this yourself; ask another person to decide."
  }
}

/** Whether one authority over exceptions contains the other. */
export const isWithin = (narrow: DerogationAuthority, wide: DerogationAuthority): boolean =>
  narrow.kind === wide.kind &&
  (wide.ruleId === undefined || narrow.ruleId === wide.ruleId) &&
  (wide.productIds === undefined ||
    (narrow.productIds?.every((id) => wide.productIds!.includes(id)) ?? false)) &&
  (wide.atMost === undefined || (narrow.atMost ?? Infinity) <= wide.atMost) &&
  (wide.atLeast === undefined || (narrow.atLeast ?? -Infinity) >= wide.atLeast) &&
  narrow.eyes >= wide.eyes
