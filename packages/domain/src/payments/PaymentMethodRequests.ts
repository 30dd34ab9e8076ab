/** What requests about payment methods say. */
import { Schema } from "effect"
import { Bic, Iban } from "./Iban.ts"
import { HolderName, PartyAddress } from "./Party.ts"

/** An account of a customer. Its number never changes: another account is another payment method. */
export const AddPaymentMethod = Schema.Struct({
  iban: Schema.RedactedFromValue(Iban),
  holderName: HolderName,
  holderAddress: Schema.optionalKey(PartyAddress),
  bic: Schema.optionalKey(Bic)
}).annotate({ identifier: "AddPaymentMethod" })
export type AddPaymentMethod = typeof AddPaymentMethod.Type
