/** The form bodies of requests to the authorization server. */
import { TokenRefused } from "@quittance/domain/tokens/Token"
import * as FormText from "@quittance/http/FormText"
import { Effect } from "effect"

/** The parameters of a form body. Parameters in the address are refused: they would end up in logs. */
export const body = Effect.filterOrFail(
  FormText.body,
  (parameters) => parameters !== undefined,
  () => new TokenRefused({ error: "invalid_request" })
)
