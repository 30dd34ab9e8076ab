/** `/letters/refuse`: ends letters about webhooks, by a button or by a mail program (RFC 8058). */
import { UserId } from "@quittance/domain/requests/Caller"
import * as BodyText from "@quittance/http/BodyText"
import * as FormText from "@quittance/http/FormText"
import { LetterRefusals } from "@quittance/operations/access/LetterRefusals"
import { refusalPath } from "@quittance/operations/access/NoticeLetters"
import { Effect, Layer, Redacted, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { atHost, Host } from "./Host.ts"
import * as LetterPages from "./LetterPages.ts"
import * as Page from "@quittance/http/HostedPage"

export const LetterRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const refusals = yield* LetterRefusals
    const at = yield* atHost

    const show = Effect.gen(function* () {
      const { tenant } = yield* Host
      const { url } = yield* HttpServerRequest.HttpServerRequest
      return linkIn(url) === undefined
        ? Page.answer(LetterPages.wrong(tenant), { status: 404 })
        : Page.answer(LetterPages.ask(tenant, url))
    })

    /** The link is in the address, where mail programs find it; what they send names no button. */
    const submit = Effect.gen(function* () {
      const { tenant } = yield* Host
      const request = yield* HttpServerRequest.HttpServerRequest
      const sent = FormText.parse(yield* BodyText.once(request))
      const resumes = Result.isSuccess(sent) && sent.success.get("do") === "resume"
      const link = linkIn(request.url)
      if (link === undefined || !(yield* refusals.set(link, !resumes))) {
        return Page.answer(LetterPages.wrong(tenant), { status: 404 })
      }
      return Page.answer(
        resumes ? LetterPages.resumed(tenant) : LetterPages.ended(tenant, request.url)
      )
    })

    return [
      HttpRouter.route("GET", refusalPath, at(show)),
      HttpRouter.route("POST", refusalPath, at(submit))
    ]
  })
).pipe(Layer.provide(LetterRefusals.layer))

const isUserId = Schema.is(UserId)

/** Whose letters the address is about, and its secret; `undefined` where it has none. */
const linkIn = (url: string) => {
  const parsed = FormText.parse(url.slice(url.indexOf("?") + 1))
  if (Result.isFailure(parsed)) return undefined
  const [userId, token] = [parsed.success.get("user"), parsed.success.get("token")]
  if (!isUserId(userId) || token === undefined) return undefined
  return { userId, token: Redacted.make(token) }
}
