/** Why no certificate of cover can be given. */
import { Schema } from "effect"

export const CertificateObstacle = Schema.Literals([
  "NOT_STARTED",
  "SUSPENDED",
  "STOPPED",
  "NOTHING_PAID"
])
export type CertificateObstacle = typeof CertificateObstacle.Type

/** There is no time for which cover could be certified. */
export class CertificateNotAvailable extends Schema.TaggedError<CertificateNotAvailable>()(
  "CertificateNotAvailable",
  { reason: CertificateObstacle }
) {
  override get message() {
    return advice[this.reason]
  }
}

const advice: Record<CertificateObstacle, string> = {
  NOT_STARTED: "Ask again when cover has started.",
  SUSPENDED: "Cover is suspended; ask again when it is reactivated.",
  STOPPED: "The policy has stopped; there is no cover to certify.",
  NOTHING_PAID: "Pay the invoice of the period that runs, then ask again."
}
