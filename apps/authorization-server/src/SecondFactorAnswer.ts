/** What a browser is answered while its sign-in waits for a second factor. */
import type { Said, SignInSteps } from "@quittance/operations/authorization-server/SignInSteps"
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import * as CsrfToken from "./CsrfToken.ts"
import { Host } from "./Host.ts"
import * as LoginPage from "./LoginPage.ts"
import * as Page from "@quittance/http/HostedPage"
import * as SecondFactorPage from "./SecondFactorPage.ts"

/** The page of a sign-in that waits, by its secret. */
export const ask = (
  steps: SignInSteps["Service"],
  random: SecureRandom.SecureRandom["Service"],
  secret: string,
  { headers, status = 200, ...said }: Said & Pick<Page.AnswerOptions, "headers" | "status"> = {}
) =>
  Effect.gen(function* () {
    const { issuer, tenant } = yield* Host
    const view = yield* steps.view(secret, tenant)
    const csrf = yield* CsrfToken.ofBrowser(random)
    const hidden = [
      ["attempt", secret],
      ["csrf", csrf]
    ] as const
    const { request } = view
    return Page.answer(SecondFactorPage.secondFactor({ tenant, view, said, hidden }), {
      status: said.problem === undefined || status !== 200 ? status : 400,
      headers: { ...headers, "set-cookie": CsrfToken.cookie(issuer, csrf) },
      ...(request === undefined ? {} : { redirectUri: request.redirectUri })
    })
  }).pipe(Effect.catchTag("SignInOver", ({ message }) => over(message)))

export const over = (message: string) =>
  Effect.map(Host, ({ tenant }) => Page.answer(LoginPage.problem(tenant, message), { status: 400 }))
