/** Forms with a file (RFC 7578), received while they come in. */
import {
  InvalidRequest,
  PayloadTooLarge,
  type RequestIssue
} from "@quittance/domain/requests/RequestErrors"
import { bodyParsing } from "@quittance/contract/requests/Parsing"
import { Effect, Schema, Stream } from "effect"
import type { Multipart } from "effect/http"
import * as FormFile from "./FormFile.ts"
import { issuesOf } from "./RequestRules.ts"
import { pointerSegment, unsound } from "./Soundness.ts"

/** A form that fits: its fields, and the one file of the name `file`. */
export interface ReceivedForm<Fields> {
  readonly fields: Fields
  readonly file: FormFile.FormFile
}

/**
 * Receives a form to its end, whose fields beside `file` are those of a schema. The file may have
 * `maximum` bytes. It is gone when the scope closes.
 */
export const receive = Effect.fnUntraced(function* <Fields>(
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  schema: Schema.Codec<Fields, unknown>,
  maximum: number
) {
  const fields = new Map<string, string>()
  const issues: Array<RequestIssue> = []
  let file: FormFile.FormFile | undefined
  let files = 0
  const report = (name: string, message: string) =>
    issues.push({ in: "body", path: pointerSegment(name), message })
  yield* Stream.runForEach(
    parts,
    Effect.fnUntraced(function* (part) {
      const isKnown = (part.key === "file") === (part._tag === "File")
      if (part._tag === "File") {
        if (isKnown && file === undefined) file = yield* FormFile.receive(part, maximum)
        else yield* Stream.runDrain(part.content)
        if (isKnown && ++files > 1) report(part.key, "Expected only once")
      }
      if (!isKnown) {
        report(part.key, part.key === "file" ? "Expected a file" : "Expected a text, and no file")
      } else if (part._tag === "Field") {
        if (fields.has(part.key)) report(part.key, "Expected only once")
        fields.set(part.key, part.value)
      }
    })
  ).pipe(Effect.catchTag("MultipartError", (error) => refusalOf(error, maximum)))
  if (file === undefined) report("file", "Required")
  const given: Record<string, string> = Object.fromEntries(fields)
  issues.push(
    ...unsound("body", { ...given, file: file?.name ?? "" }, (segments) =>
      segments.map(pointerSegment).join("")
    )
  )
  const decoded = yield* Schema.decodeUnknownEffect(
    schema,
    bodyParsing
  )(given).pipe(
    Effect.catch(({ issue }) => {
      issues.push(...issuesOf("body", issue))
      return Effect.undefined
    })
  )
  if (file === undefined || decoded === undefined || issues.length > 0) {
    return yield* new InvalidRequest({ issues })
  }
  return { fields: decoded, file } satisfies ReceivedForm<Fields>
})

const refusalOf = ({ reason }: Multipart.MultipartError, maximum: number) =>
  Effect.fail(
    reason._tag === "BodyTooLarge"
      ? new PayloadTooLarge({ maximum })
      : new InvalidRequest({
          issues: [{ in: "body", path: "", message: faults[reason._tag] ?? cut }]
        })
  )

const cut = "Expected the whole form, up to its closing boundary"
const faults: Readonly<Record<string, string>> = {
  FieldTooLarge: "Expected fields of at most 4 KiB",
  TooManyParts: "Expected no further fields"
}
