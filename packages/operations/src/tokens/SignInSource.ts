/** The source of a sign-in, as users read it in the list of their sign-ins. */
import * as BrowserName from "@quittance/auth/BrowserName"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import { RequestSource } from "@quittance/domain/requests/RequestSource"
import { Effect } from "effect"

/** The key of the address and the name of the browser of the running request; `null` for what is not known. */
export const signInSource = Effect.map(RequestSource, ({ address, userAgent }) => ({
  address: address === "" ? null : SourceAddress.key(address),
  browser: BrowserName.of(userAgent) ?? null
}))
