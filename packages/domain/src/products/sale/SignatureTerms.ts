/** How a product is signed: by one call, or by each signer in turn. */
import { Schema } from "effect"
import { Duration } from "../../values/Duration.ts"
import { Name } from "../ProductRating.ts"

/** Signers of one order sign side by side; the next order waits until all before have signed. */
const Order = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 }))

/** Who of the policy's people signs: the first with a role by the order in which they came, or all. */
const SignerTerms = Schema.Struct({
  role: Name,
  which: Schema.Literals(["FIRST", "ALL"]),
  order: Order
})

/** Regulation (EU) 910/2014: art. 3(10), 3(11), 3(12). */
export const SignatureLevel = Schema.Literals(["SIMPLE", "ADVANCED", "QUALIFIED"])

/** How a signer proves that they have an address: by a code that is sent there, or not at all. */
export const SignerOtp = Schema.Literals(["NONE", "EMAIL", "SMS"])
export type SignerOtp = typeof SignerOtp.Type

/** How a signer comes to the ceremony: by a letter, by a link that a program gives them, or in a program. */
export const SignerDelivery = Schema.Literals(["EMAIL", "LINK", "EMBEDDED"])
export type SignerDelivery = typeof SignerDelivery.Type

/** Who signs for those who sell. */
export const CountersignerRole = Schema.Literals(["BROKER", "INSURER"])
export type CountersignerRole = typeof CountersignerRole.Type

export const SignatureTerms = Schema.Struct({
  /** `CLICK`: by one call of the program in which the signer acts. `REQUEST`: by each signer in turn. */
  method: Schema.Literals(["CLICK", "REQUEST"]),
  level: SignatureLevel,
  otp: SignerOtp,
  signers: Schema.Array(SignerTerms).check(Schema.isMinLength(1), Schema.isMaxLength(20)),
  countersigner: Schema.optionalKey(Schema.Struct({ role: CountersignerRole, order: Order })),
  /** From the request on; the end of the quote ends it sooner. */
  expiresAfter: Duration,
  /** Days after a signer was told of it. */
  remindAfterDays: Schema.Array(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 366 }))
  ).check(Schema.isMaxLength(10)),
  delivery: SignerDelivery
})
export type SignatureTerms = typeof SignatureTerms.Type
