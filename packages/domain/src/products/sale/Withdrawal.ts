/**
 * How long a customer may withdraw from a contract, by the law of the product's country. French law: art.
 * L112-2-1 code des assurances (contracts made at a distance); European law: art. 6 of directive 2002/65/EC, and
 * art. 11a of directive 2011/83/EU for the function online.
 */
import { Schema } from "effect"
import { type Instant, max } from "../../values/Instant.ts"
import { addDays } from "../../values/LocalDate.ts"
import { localDate, startOfDay, type TimeZone } from "../../values/TimeZone.ts"
import { Name } from "../ProductRating.ts"

/** How a policy is sold. */
export const SalesChannel = Schema.Literals(["DISTANCE", "TELEPHONE", "FACE_TO_FACE", "DOORSTEP"])
export type SalesChannel = typeof SalesChannel.Type

const Days = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 366 }))

export const WithdrawalTerms = Schema.Struct({
  /** Full calendar days. */
  days: Days,
  /** When they begin: at the signature, or once every policyholder has the terms, where that is later. */
  from: Schema.Literals(["CONCLUSION", "LATER_OF_CONCLUSION_AND_TERMS"]),
  /** The channels of sales that have the right; absent: all. A sale whose channel is not known has it. */
  channels: Schema.optionalKey(Schema.Array(SalesChannel).check(Schema.isMinLength(1))),
  /** What policyholders have to be; absent: whatever they are. */
  customerTypes: Schema.optionalKey(
    Schema.Array(Schema.Literals(["INDIVIDUAL", "COMPANY"])).check(Schema.isMinLength(1))
  ),
  /** The reason of the stop, which says what is given back. */
  stopReason: Name,
  /** Calendar days from the withdrawal within which the refund is to be paid. */
  refundWithinDays: Days,
  /** What is given back where cover has begun because the customer asked for it: as its stop reason says. */
  onRequestedStart: Schema.Literals(["PRO_RATA", "FULL"]),
  /** The document of the product that tells of the right, with the model text of the law; absent: none. */
  information: Schema.optionalKey(Name),
  /** What customers accept who want cover to begin within the period; absent: it needs no word of theirs. */
  startRequest: Schema.optionalKey(Schema.Struct({ textId: Name, text: Schema.NonEmptyString })),
  /** The law that it comes from, for people to read. */
  source: Schema.NonEmptyString.check(Schema.isMaxLength(200))
})
export type WithdrawalTerms = typeof WithdrawalTerms.Type

/** Whether the channel of a sale is one of these; what is not known is taken for each of them. */
export const isSoldBy = (
  channels: ReadonlyArray<SalesChannel> | undefined,
  channel: SalesChannel | undefined
): boolean => channels === undefined || channel === undefined || channels.includes(channel)

/** Whether the right is one of such a sale, to such people. */
export const isWithdrawable = (
  { channels, customerTypes }: Pick<WithdrawalTerms, "channels" | "customerTypes">,
  sale: {
    readonly holders: ReadonlyArray<{ readonly type: "INDIVIDUAL" | "COMPANY" }>
    readonly salesChannel: SalesChannel | undefined
  }
): boolean =>
  isSoldBy(channels, sale.salesChannel) &&
  (customerTypes === undefined || sale.holders.some(({ type }) => customerTypes.includes(type)))

/**
 * The first instant after the period. Its first day is the one after both the conclusion and the terms; it ends
 * with the last of its days on the local calendar. Holidays do not lengthen it (art. L112-2-1 has no such rule).
 */
export const withdrawalEnd = (
  { days }: Pick<WithdrawalTerms, "days">,
  times: { readonly concludedAt: Instant; readonly termsAt?: Instant | undefined },
  timeZone: TimeZone
): Instant => {
  const { concludedAt, termsAt = concludedAt } = times
  return startOfDay(addDays(localDate(max(concludedAt, termsAt), timeZone), days + 1), timeZone)
}
