/** A signer of a signature that was requested: who they are, when it is their turn, how far they have come. */
import { Schema } from "effect"
import { SignerDelivery, SignerOtp } from "../products/sale/SignatureTerms.ts"
import { UserId } from "../requests/Caller.ts"
import { CustomerId, SignerId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { SignerStatus } from "./SignatureLifecycle.ts"

export const Signer = Schema.Struct({
  /** Absent, with all that follows the address, where it was signed by one call. */
  id: Schema.optionalKey(SignerId),
  firstName: Schema.String,
  lastName: Schema.String,
  email: Schema.String,
  phone: Schema.optionalKey(Schema.String),
  customerId: Schema.optionalKey(CustomerId),
  userId: Schema.optionalKey(UserId),
  role: Schema.optionalKey(Schema.String),
  order: Schema.optionalKey(Schema.Int),
  delivery: Schema.optionalKey(SignerDelivery),
  otp: Schema.optionalKey(SignerOtp),
  status: Schema.optionalKey(SignerStatus),
  notifiedAt: Schema.optionalKey(Instant),
  openedAt: Schema.optionalKey(Instant),
  provenAt: Schema.optionalKey(Instant),
  signedAt: Schema.optionalKey(Instant),
  declinedAt: Schema.optionalKey(Instant),
  declineReason: Schema.optionalKey(Schema.String),
  /** When they were asked once more; absent where they were not. */
  remindedAt: Schema.optionalKey(Schema.Array(Instant))
}).annotate({ identifier: "Signer" })
export type Signer = typeof Signer.Type

/** A signer of a requested signature as it is stored. */
export type RequestedSigner = Signer &
  Required<Pick<Signer, "delivery" | "id" | "order" | "otp" | "role" | "status">>

/** Whether a signer is one of a requested signature; they have all that such a signer has. */
export const isRequested = (signer: Signer): signer is RequestedSigner =>
  signer.id !== undefined && signer.status !== undefined

/** Whether a signer proves by a code that they have their address. */
export const needsCode = ({ otp }: Pick<RequestedSigner, "otp">): boolean => otp !== "NONE"
