/** What requests of visitors say. */
import { Schema } from "effect"
import { LinkSecret } from "../access/Invitation.ts"

/** What `POST /anonymous-session` takes; the body may be left out. */
export const StartAnonymousSession = Schema.Struct({
  /** The product the visitor came for. */
  productId: Schema.optionalKey(Schema.String),
  /** The secret of an invitation's link: the session has what the invitation gives. */
  invitationToken: Schema.optionalKey(LinkSecret)
}).annotate({ identifier: "StartAnonymousSession" })
export type StartAnonymousSession = typeof StartAnonymousSession.Type
