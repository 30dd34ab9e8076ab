/**
 * That a broker is registered, as the tenant has looked it up: who sells insurance in the European Union
 * is registered in their home state (directive (EU) 2016/97, art. 3; in France art. L512-1 code des
 * assurances, at ORIAS, renewed each year).
 */
import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import { addDays, LocalDate } from "../values/LocalDate.ts"
import { Text } from "../values/Text.ts"
import { localDate, startOfDay, type TimeZone } from "../values/TimeZone.ts"
import { BrokerageFirmId } from "../values/Ids.ts"
import type { UnmetReason } from "../policies/Compliance.ts"

/** What a tenant has found in a register; the latest that it has said of a firm counts. */
export const Registration = Schema.Struct({
  brokerageFirmId: BrokerageFirmId,
  register: Text,
  number: Text,
  categories: Schema.Array(Text),
  validUntil: LocalDate,
  checkedAt: Instant,
  evidence: Text,
  recordedAt: Instant,
  author: Schema.String
}).annotate({ identifier: "FirmRegistration" })
export type Registration = typeof Registration.Type

/** Why a registration does not let a firm sell on a day; `undefined` where it does. */
export const registrationFault = (
  registration: Pick<Registration, "checkedAt" | "validUntil"> | undefined,
  at: { readonly now: Instant; readonly timeZone: TimeZone; readonly maxAgeDays?: number }
): typeof UnmetReason.Type | undefined => {
  if (registration === undefined) return "MISSING"
  const { maxAgeDays, now, timeZone } = at
  const today = localDate(now, timeZone)
  if (registration.validUntil < today) return "OUTDATED"
  if (maxAgeDays === undefined) return undefined
  const oldest = startOfDay(addDays(today, -maxAgeDays), timeZone)
  return registration.checkedAt < oldest ? "OUTDATED" : undefined
}

/** Nothing is recorded of a firm's registration. */
export class RegistrationNotFound extends Schema.TaggedError<RegistrationNotFound>()(
  "RegistrationNotFound",
  { brokerageFirmId: BrokerageFirmId }
) {
  override get message() {
    return `No registration of ${this.brokerageFirmId} is recorded; record it with PUT.`
  }
}
