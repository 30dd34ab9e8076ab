/**
 * The hosted page of a ceremony: what the link of a signer opens. To look at it changes nothing, because programs that
 * look into letters open each link in them; each step is a form, and the command is that of the interface.
 */
import { fileNameOf } from "@quittance/domain/documents/ContentHeaders"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { RequestId } from "@quittance/domain/requests/RequestId"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { DeclineSignature, ProveSigner, SignSignature } from "@quittance/domain/signatures/Ceremony"
import type { SignerLinkNotFound } from "@quittance/domain/signatures/SignerLink"
import * as FormText from "@quittance/http/FormText"
import * as HostedPage from "@quittance/http/HostedPage"
import { Ceremonies } from "@quittance/operations/ceremonies/Ceremonies"
import { CeremonySigning } from "@quittance/operations/ceremonies/CeremonySigning"
import { CeremonyVisits, type FollowedLink } from "@quittance/operations/ceremonies/CeremonyVisits"
import { signPath } from "@quittance/operations/ceremonies/SignerLinks"
import { Effect, Option, Schema, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { asFile } from "./ContentAnswer.ts"
import { consentPrefix, signPage, type SignStep, waitPage, wrongLinkPage } from "./SignPages.ts"
import { problemOf, type StepProblem } from "./SignProblems.ts"

/** The token of the path, and who asks. */
const asked = Effect.gen(function* () {
  const { params } = yield* HttpRouter.RouteContext
  const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  const visitor = {
    requestId: yield* RequestId,
    address: Option.getOrElse(remoteAddress, () => "unknown"),
    userAgent: headers["user-agent"] ?? ""
  }
  return { token: params["token"] ?? "", documentId: params["documentId"] ?? "", visitor }
})

/** The languages that the reader wants, the most wanted first as browsers send them. */
const languages = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  (headers["accept-language"] ?? "").split(",").map((one) => one.split(";")[0]!.trim())
)

const refused = Effect.fnUntraced(function* (error: RateLimited | SignerLinkNotFound) {
  const wanted = yield* languages
  return error._tag === "RateLimited"
    ? HostedPage.answer(waitPage(wanted, error.retryAfter), {
        status: 429,
        headers: { "retry-after": String(error.retryAfter) }
      })
    : HostedPage.answer(wrongLinkPage(wanted), { status: 404 })
})

/** Nothing of a link is kept on the way, nor told to the next page. */
const secret = { "cache-control": "no-store", "referrer-policy": "no-referrer" }

const proven = Schema.decodeUnknownOption(ProveSigner)
const signed = Schema.decodeUnknownOption(SignSignature)
const declined = Schema.decodeUnknownOption(DeclineSignature)

/** The texts whose boxes are ticked. */
const consentsOf = (form: FormText.Parameters) =>
  [...form].flatMap(([name, textHash]) =>
    name.startsWith(consentPrefix)
      ? [{ textId: name.slice(consentPrefix.length), textHash, accepted: true }]
      : []
  )

/** Runs a step; what refuses it becomes a problem that the page names. */
const tried = <A, E extends { readonly _tag: string }, R>(command: Effect.Effect<A, E, R>) =>
  Effect.match(command, { onSuccess: () => undefined, onFailure: problemOf })

export const SignRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const ceremonies = yield* Ceremonies
    const signing = yield* CeremonySigning
    const visits = yield* CeremonyVisits

    /** What a button does; a problem where it was refused. */
    const step = (
      { as, path }: FollowedLink,
      form: FormText.Parameters
    ): Effect.Effect<StepProblem | undefined> => {
      // Anything else is no step of the page.
      switch (form.get("do") as SignStep | undefined) {
        case "open":
          return tried(as(ceremonies.open(path)))
        case "otp":
          return tried(as(ceremonies.sendCode(path)))
        case "prove": {
          const input = proven({ code: (form.get("code") ?? "").replaceAll(/\s/gu, "") })
          return Option.match(input, {
            onNone: () => Effect.succeed({ name: "codeForm", field: "code" }),
            onSome: (prove) => tried(as(ceremonies.prove(path, prove)))
          })
        }
        case "sign": {
          const input = signed({ name: form.get("name") ?? "", consents: consentsOf(form) })
          return Option.match(input, {
            onNone: () => Effect.succeed({ name: "name", field: "name" }),
            onSome: (sign) => tried(as(signing.sign(path, sign)))
          })
        }
        case "decline": {
          const input = declined({ reason: form.get("reason") ?? "" })
          return Option.match(input, {
            onNone: () => Effect.succeed({ name: "reason", field: "reason" }),
            onSome: (decline) => tried(as(ceremonies.decline(path, decline)))
          })
        }
        default:
          return Effect.succeed({ name: "moved" })
      }
    }

    const look = Effect.gen(function* () {
      const { token, visitor } = yield* asked
      const { as, path } = yield* visits.follow(token, visitor)
      return HostedPage.answer(signPage(yield* as(visits.look(path)), `${signPath}/${token}`))
    })

    const act = Effect.gen(function* () {
      const { token, visitor } = yield* asked
      const link = yield* visits.follow(token, visitor)
      const action = `${signPath}/${token}`
      const problem = yield* step(link, (yield* FormText.body) ?? new Map())
      if (problem === undefined) {
        return HttpServerResponse.redirect(action, { status: 303, headers: secret })
      }
      const visit = yield* link.as(visits.look(link.path))
      const status = problem.minutes === undefined ? 422 : 429
      return HostedPage.answer(signPage(visit, action, problem), { status })
    })

    const read = Effect.gen(function* () {
      const { documentId, token, visitor } = yield* asked
      const { as, path, tenant } = yield* visits.follow(token, visitor)
      const found = yield* Effect.option(as(visits.read(path, documentId)))
      if (Option.isNone(found)) {
        const page = signPage(yield* as(visits.look(path)), `${signPath}/${token}`, {
          name: "moved"
        })
        return HostedPage.answer(page, { status: 404 })
      }
      const { content, document } = found.value
      const { mediaType, title } = document
      const bytes = Stream.provideService(content.bytes(), CurrentTenant, tenant.id)
      return HttpServerResponse.stream(bytes, {
        contentType: mediaType,
        contentLength: content.size,
        headers: { ...secret, ...asFile(fileNameOf(title, mediaType)) }
      })
    })

    const page = `${signPath}/:token` as const
    return [
      HttpRouter.route("GET", page, Effect.catch(look, refused)),
      HttpRouter.route("POST", page, Effect.catchTags(act, refusals)),
      HttpRouter.route("POST", `${page}/documents/:documentId`, Effect.catch(read, refused))
    ]
  })
)

const refusals = { RateLimited: refused, SignerLinkNotFound: refused }
