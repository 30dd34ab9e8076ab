/** What requests about mandates say. */
import { Schema } from "effect"
import { PaymentMethodId } from "../values/Ids.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { Text } from "../values/Text.ts"
import { DebitScheme, MandateType } from "./Mandate.ts"
import { MandateLocale, MandateReference } from "./MandateRecord.ts"

const scheme = Schema.optionalKey(DebitScheme)
const type = Schema.optionalKey(MandateType)

/** A mandate to be signed, for the account that collects for a product. */
export const CreateMandate = Schema.Struct({
  productId: Schema.String,
  /** `CORE` unless it is said. */
  scheme,
  /** `RECURRENT` unless it is said. */
  type,
  locale: MandateLocale
}).annotate({ identifier: "CreateMandate" })
export type CreateMandate = typeof CreateMandate.Type

/** A mandate that was signed before its portfolio moved here. */
export const ImportMandate = Schema.Struct({
  productId: Schema.String,
  scheme,
  type,
  umr: MandateReference,
  signedOn: LocalDate,
  lastPresentedOn: Schema.optionalKey(LocalDate),
  /** Where the signed mandate is kept. */
  evidence: Text
}).annotate({ identifier: "ImportMandate" })
export type ImportMandate = typeof ImportMandate.Type

/** The debtor's signature under the text whose digest is named. */
export const SignMandate = Schema.Struct({
  consent: Schema.Struct({ textHash: Schema.String, accepted: Schema.Literal(true) }),
  /** Today unless it is said: a signature on paper may be older. */
  signedOn: Schema.optionalKey(LocalDate),
  place: Schema.optionalKey(Text)
}).annotate({ identifier: "SignMandate" })
export type SignMandate = typeof SignMandate.Type

/** That the debtor's bank knows a B2B mandate. */
export const ConfirmMandate = Schema.Struct({
  /** Where the bank's answer is kept. */
  evidence: Text
}).annotate({ identifier: "ConfirmMandate" })
export type ConfirmMandate = typeof ConfirmMandate.Type

/** Why a mandate that a bank has blocked may be used again. */
export const UnblockMandate = Schema.Struct({
  reason: Text,
  /** Where it is kept that the account takes debits. */
  evidence: Text
}).annotate({ identifier: "UnblockMandate" })
export type UnblockMandate = typeof UnblockMandate.Type

/** Another account of the same debtor. */
export const AmendMandate = Schema.Struct({ paymentMethodId: PaymentMethodId }).annotate({
  identifier: "AmendMandate"
})
export type AmendMandate = typeof AmendMandate.Type
