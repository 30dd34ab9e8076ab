/** The events of signatures that are requested; each names the signature, which tells the rest. */
import { type EventType, recordEventType } from "../requests/Event.ts"
import { SignatureId } from "../values/Ids.ts"

const of = <const T extends string>(type: T) => recordEventType(type, "signatureId", SignatureId)

export const signatureEvents = {
  "signature.request": of("signature.requested"),
  "signature.open": of("signature.opened"),
  "signature.sign": of("signature.signed"),
  "signature.decline": of("signature.declined"),
  "signature.finish": of("signature.completed"),
  "signature.cancel": of("signature.cancelled"),
  "signature.expire": of("signature.expired"),
  "signature.void": of("signature.voided")
} satisfies Record<string, EventType>
