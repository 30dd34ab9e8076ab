/** Letters that tell users of something and let them in nowhere. */
import { Schema } from "effect"

export const AccountNotice = Schema.Literals(["PASSWORD_CHANGED", "SECOND_FACTOR_CHANGED"])
export type AccountNotice = typeof AccountNotice.Type

/** `FAILING`: nothing has arrived for a day. `DISABLED`: the service has disabled it for that, or for a 410. */
export const WebhookNotice = Schema.Literals(["WEBHOOK_FAILING", "WEBHOOK_DISABLED"])
export type WebhookNotice = typeof WebhookNotice.Type
