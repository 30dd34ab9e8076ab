/** `/invitation` and `/password/reset`: what the links of letters open. */
import { InvitationNotFound, type LinkPurpose } from "@quittance/domain/access/Invitation"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import * as FormText from "@quittance/http/FormText"
import { Accounts, type LinkView } from "@quittance/operations/access/Accounts"
import { linkPaths } from "@quittance/operations/access/OutgoingMail"
import { Effect, Layer, Option, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerRequest } from "effect/http"
import * as CsrfToken from "./CsrfToken.ts"
import * as Form from "./Form.ts"
import { atHost, Host } from "./Host.ts"
import * as LinkPages from "./LinkPages.ts"
import { limitHeaders } from "./OAuthResponse.ts"
import * as Page from "@quittance/http/HostedPage"

type Path = (typeof linkPaths)[LinkPurpose]

interface Retry extends Pick<LinkPages.LinkPage, "names" | "problem" | "wrong"> {
  readonly status: number
}

export const LinkRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const random = yield* SecureRandom.SecureRandom
    const at = yield* atHost

    /** The link, if it is one of those that this page is for. */
    const lookUp = Effect.fnUntraced(function* (path: Path, token: Redacted.Redacted) {
      const link = yield* accounts.lookUp(token, yield* address)
      return linkPaths[link.purpose] === path ? link : yield* new InvitationNotFound({})
    })

    const show = Effect.fnUntraced(function* (
      link: LinkView,
      token: Redacted.Redacted,
      { status, ...retry }: Retry = firstTry
    ) {
      const { issuer, tenant } = yield* Host
      const csrf = yield* CsrfToken.ofBrowser(random)
      const hidden = [
        ["token", Redacted.value(token)],
        ["csrf", csrf]
      ] as const
      return Page.answer(LinkPages.link({ tenant, link, hidden, ...retry }), {
        status,
        headers: { "set-cookie": CsrfToken.cookie(issuer, csrf) }
      })
    })

    /** Uses the link up with what was filled in. */
    const use = Effect.fnUntraced(function* (
      link: LinkView,
      token: Redacted.Redacted,
      parameters: FormText.Parameters
    ) {
      const names = namesIn(parameters)
      if (!(yield* CsrfToken.isOfBrowser(parameters.get("csrf")))) {
        return yield* show(link, token, { ...expired, names })
      }
      if (Object.values(names).some(({ length }) => length > LinkPages.longestName)) {
        return yield* show(link, token, { ...tooLong, names })
      }
      const password = parameters.get("password") ?? ""
      const { tenant } = yield* Host
      return yield* accounts
        .accept(
          token,
          { ...names, ...(password === "" ? {} : { password: Redacted.make(password) }) },
          yield* address
        )
        .pipe(
          Effect.map(({ email }) => Page.answer(LinkPages.done(tenant, link.purpose, email))),
          Effect.catchTag("WeakPassword", ({ message }) =>
            show(link, token, { status: 400, names, problem: message, wrong: "password" })
          )
        )
    })

    const open = (path: Path) =>
      Effect.gen(function* () {
        const { url } = yield* HttpServerRequest.HttpServerRequest
        const query = url.includes("?") ? url.slice(url.indexOf("?") + 1) : ""
        const token = tokenIn(Result.getOrElse(FormText.parse(query), () => none))
        return yield* show(yield* lookUp(path, token), token)
      })

    const submit = (path: Path) =>
      Effect.gen(function* () {
        const parameters = yield* Effect.catchTag(Form.body, "TokenRefused", () =>
          Effect.succeed(none)
        )
        const token = tokenIn(parameters)
        return yield* use(yield* lookUp(path, token), token, parameters)
      })

    return Object.values(linkPaths)
      .filter((path, index, paths) => paths.indexOf(path) === index)
      .flatMap((path) => [
        HttpRouter.route("GET", path, at(Effect.catchTags(open(path), refusals))),
        HttpRouter.route("POST", path, at(Effect.catchTags(submit(path), refusals)))
      ])
  })
).pipe(Layer.provide([Accounts.layer, SecureRandom.layerWebCrypto]))

/** Used, expired, withdrawn, another tenant's or none: all look alike. */
const refusals = {
  InvitationNotFound: () =>
    Effect.map(Host, ({ tenant }) => Page.answer(LinkPages.wrong(tenant), { status: 404 })),
  RateLimited: (limit: RateLimited) =>
    Effect.map(Host, ({ tenant }) =>
      Page.answer(LinkPages.wait(tenant, limit.retryAfter), {
        status: 429,
        headers: limitHeaders(limit)
      })
    )
}

const firstTry: Retry = { status: 200, names: {}, problem: undefined, wrong: undefined }

const expired: Omit<Retry, "names"> = {
  status: 403,
  problem: "This page was open for too long, or your browser keeps no cookies. Try again.",
  wrong: undefined
}

const tooLong: Omit<Retry, "names"> = {
  status: 400,
  problem: `Names have at most ${LinkPages.longestName} characters here.`,
  wrong: "names"
}

const none: FormText.Parameters = new Map()

const tokenIn = (parameters: FormText.Parameters) => Redacted.make(parameters.get("token") ?? "")

/** The names that say something; blank ones count as none. */
const namesIn = (parameters: FormText.Parameters): LinkPages.LinkPage["names"] => {
  const [firstName, lastName] = ["firstName", "lastName"].map((name) =>
    (parameters.get(name) ?? "").trim()
  )
  return { ...(firstName ? { firstName } : {}), ...(lastName ? { lastName } : {}) }
}

const address = Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
  Option.getOrElse(remoteAddress, () => "")
)
