/** Whether a file is what its sender says, and may be taken: read from its bytes, never from its name. */
import {
  type JudgedFile,
  type ReceivedFile,
  type RejectionReason,
  UploadRejected,
  uploadTypes
} from "@quittance/domain/documents/Upload"
import { UnsupportedMediaType } from "@quittance/domain/requests/RequestErrors"
import * as LoopTurn from "@quittance/domain/values/LoopTurn"
import { Effect } from "effect"
import { fileTypeFromBuffer } from "file-type"
import { isUtf8 } from "node:buffer"
import { judgePdf } from "./PdfJudgement.ts"

/** Readers look for the beginning of a PDF in so many bytes. */
const headerWithin = 1024

/** Fails with the reason why a file is not taken. Long work lets other requests go on in between. */
export const judge = Effect.fn("UploadJudgement.judge")(function* ({
  bytes,
  mediaType: declared
}: ReceivedFile) {
  const mediaType = declared.split(";", 1)[0]!.trim().toLowerCase()
  if (!uploadTypes.includes(mediaType)) return yield* unsupported
  if (bytes.length === 0) return yield* rejected("EMPTY")
  const start = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.length, headerWithin + 5)
  )
  // A file that is a PDF and something else as well is shown as either.
  if (start.indexOf("%PDF-") > 0) return yield* rejected("LEADING_BYTES")
  const found = yield* typeOf(bytes)
  const isText = found === undefined && mediaType.startsWith("text/")
  if (isText ? !isPlainText(bytes) : found !== mediaType) return yield* unsupported
  if (mediaType !== "application/pdf") return { mediaType } satisfies JudgedFile
  const { pages, reason } = yield* inTurns(judgePdf(bytes))
  return reason === undefined
    ? ({ mediaType, pages } satisfies JudgedFile)
    : yield* rejected(reason)
})

/** The media type that bytes show; `undefined` of text, and of what nothing is known of. */
const typeOf = (bytes: Uint8Array): Effect.Effect<string | undefined> =>
  Effect.tryPromise(() => fileTypeFromBuffer(bytes)).pipe(
    Effect.map((type) => type?.mime),
    Effect.orElseSucceed(() => undefined)
  )

/** Runs steps with other work between any two of them. */
const inTurns = <A>(steps: Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const step = steps.next()
    return step.done === true
      ? Effect.succeed(step.value)
      : Effect.andThen(LoopTurn.next, inTurns(steps))
  })

const rejected = (reason: RejectionReason) => new UploadRejected({ reason })
const unsupported = Effect.suspend(() =>
  Effect.fail(new UnsupportedMediaType({ accepted: uploadTypes }))
)

/** UTF-8 without control characters, but for those that end lines, pages and columns. */
const isPlainText = (bytes: Uint8Array): boolean =>
  isUtf8(bytes) && !bytes.some((byte) => isControl[byte] === 1)

const isControl = new Uint8Array(256)
for (let code = 0; code < 32; code++) isControl[code] = 1
for (const allowed of ["\t", "\n", "\f", "\r"]) isControl[allowed.charCodeAt(0)] = 0
isControl[127] = 1
