/**
 * What the link of a letter that asks for a document opens: a page with a form, which takes one file without a
 * sign-in. To look at it changes nothing, because programs that look into letters open each link in them.
 */
import { formLimits } from "@quittance/contract/documents/UploadFormLimits"
import {
  uploadPath,
  type UploadLinkNotFound
} from "@quittance/domain/documents/requests/UploadLink"
import { maximumUpload } from "@quittance/domain/documents/Upload"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import * as HostedPage from "@quittance/http/HostedPage"
import * as MultipartForm from "@quittance/http/MultipartForm"
import { LinkedUploads } from "@quittance/operations/documents/requests/LinkedUploads"
import { Effect, Option, Schema, Stream } from "effect"
import { HttpRouter, HttpServerRequest, Multipart } from "effect/http"
import { formPage, receivedPage, waitToUploadPage, wrongUploadPage } from "./UploadPages.ts"

const refused = Effect.fnUntraced(function* (error: RateLimited | UploadLinkNotFound) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const wanted = (headers["accept-language"] ?? "").split(",").map((one) => one.trim())
  return error._tag === "RateLimited"
    ? HostedPage.answer(waitToUploadPage(wanted, error.retryAfter), {
        status: 429,
        headers: { "retry-after": String(error.retryAfter) }
      })
    : HostedPage.answer(wrongUploadPage(wanted), { status: 404 })
})

/** The form has its file alone: what it is for, its link says. */
const received = Effect.gen(function* () {
  const { multipartStream } = yield* HttpServerRequest.HttpServerRequest
  const parts = Stream.provideContext(multipartStream, Multipart.limitsServices(formLimits))
  const { file } = yield* MultipartForm.receive(parts, Schema.Struct({}), maximumUpload)
  return { fields: { kind: "UPLOAD" } as const, file }
})

export const UploadRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const uploads = yield* LinkedUploads

    const linked = Effect.gen(function* () {
      const { params } = yield* HttpRouter.RouteContext
      const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
      const token = params["token"] ?? ""
      const request = yield* uploads.look(
        token,
        Option.getOrElse(remoteAddress, () => "unknown")
      )
      return { request, action: `${uploadPath}/${token}` }
    })

    const look = Effect.map(linked, ({ action, request }) =>
      HostedPage.answer(formPage(request, action))
    )

    const take = Effect.gen(function* () {
      const { action, request } = yield* linked
      const again = (status: number) =>
        Effect.succeed(HostedPage.answer(formPage(request, action, true), { status }))
      return yield* uploads.take(request, received).pipe(
        Effect.as(HostedPage.answer(receivedPage(request), { status: 201 })),
        // What is wrong with a file, or with its form, the sender can mend.
        Effect.catchTags({
          InvalidRequest: () => again(400),
          PayloadTooLarge: () => again(413),
          UnsupportedMediaType: () => again(415),
          UploadRejected: () => again(422)
        })
      )
    })

    const page = `${uploadPath}/:token` as const
    return [
      HttpRouter.route("GET", page, Effect.catch(look, refused)),
      HttpRouter.route("POST", page, Effect.catch(take, refused))
    ]
  })
)
