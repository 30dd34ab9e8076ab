/** `quittance evidence verify`: whether evidence, steps of a signature, or a sealed file, are as they were made. */
import { faultOf, type StoredStep } from "@quittance/domain/signatures/EvidenceStep"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import { SignatureId } from "@quittance/domain/values/Ids"
import { stepText } from "@quittance/operations/signatures/FaultTexts"
import { kindOf } from "@quittance/operations/signatures/FileJudgement"
import { sha256 } from "@quittance/operations/values/Sha256"
import { Console, Effect, FileSystem, Option, Runtime, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { asProblems, problem } from "../Problem.ts"
import { counted } from "../terminal/Numbers.ts"
import { judgeArchive } from "./VerifyArchive.ts"
import { judge } from "./VerifyPdf.ts"

/** What is wrong is printed already; what is left to say is the exit code. */
export class NotIntact extends Schema.TaggedError<NotIntact>()("NotIntact", {}) {
  override readonly [Runtime.errorReported] = false
}

/** Members that no step has are kept, so that they are found. */
const Steps = Schema.Struct({
  signatureId: SignatureId,
  head: Schema.optionalKey(Schema.String),
  steps: Schema.Array(Schema.Record(Schema.String, Schema.Unknown))
})
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Steps))

const hashedOf = ({ hash, ...content }: Readonly<Record<string, unknown>>): StoredStep => ({
  content: canonicalJson(content),
  hash: String(hash)
})

const bytesOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs
    .readFile(file)
    .pipe(Effect.mapError((cause) => problem(`${file} can't be read; check its name.`, cause)))
})

const verdictOf = Effect.fn("Verify.verdictOf")(function* (
  file: string,
  bytes: Uint8Array,
  head: Option.Option<string>
) {
  const read = yield* decode(Buffer.from(bytes).toString()).pipe(
    Effect.mapError((cause) =>
      problem(
        `${file} is no archive of evidence, no PDF file and no answer of GET /signatures/{signatureId}/steps.`,
        cause
      )
    )
  )
  const steps = read.steps.map(hashedOf)
  const recorded = { signatureId: read.signatureId, head: Option.getOrElse(head, () => read.head) }
  return { fault: faultOf(steps, recorded, sha256), count: steps.length, head: recorded.head }
})

const verifySteps = Effect.fnUntraced(function* (
  file: string,
  bytes: Uint8Array,
  given: Option.Option<string>
) {
  const { count, fault, head } = yield* verdictOf(file, bytes, given).pipe(asProblems)
  if (fault !== undefined) {
    yield* Console.log(`${file}: NOT intact: ${stepText(fault)}`)
    return yield* new NotIntact()
  }
  const trust = Option.isSome(given)
    ? ""
    : "; compare the last hash with the audit trail, or give it with --head"
  yield* Console.log(`${file}: ${counted(count, "step")}, the last ${head}${trust}`)
})

const verifyFile = Effect.fnUntraced(function* (
  file: string,
  pdf: Uint8Array,
  certificates: Option.Option<string>,
  shown: Option.Option<string>
) {
  const trusted = yield* Option.match(certificates, {
    onNone: () =>
      problem("Say whom to trust: give certificates of the tenant with --certificates."),
    onSome: Effect.succeed
  })
  const text = Buffer.from(yield* bytesOf(trusted)).toString()
  const { isIntact, text: verdict } = yield* judge(pdf, {
    certificates: { text, file: trusted },
    shown: Option.isNone(shown) ? undefined : yield* bytesOf(shown.value)
  })
  yield* Console.log(`${file}: ${verdict}`)
  if (!isIntact) return yield* new NotIntact()
})

const verifyArchive = Effect.fnUntraced(function* (
  file: string,
  archive: Uint8Array,
  certificates: Option.Option<string>,
  anchor: Option.Option<string>
) {
  const trusted = Option.getOrUndefined(certificates)
  const { isIntact, text } = yield* judgeArchive(archive, {
    certificates:
      trusted === undefined
        ? undefined
        : { text: Buffer.from(yield* bytesOf(trusted)).toString(), file: trusted },
    anchor: Option.getOrUndefined(anchor)
  })
  yield* Console.log(`${file}: ${text}`)
  if (!isIntact) return yield* new NotIntact()
})

export const verify = Command.make(
  "verify",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription(
        "What GET /signatures/{signatureId}/evidence or …/steps has answered, or a sealed PDF file"
      )
    ),
    head: Flag.String("head").pipe(
      Flag.withDescription(
        "Of steps: the hash of the last one by the audit trail; that in the file unless said"
      ),
      Flag.optional
    ),
    anchor: Flag.String("anchor").pipe(
      Flag.withDescription("Of evidence: POSITION:HASH of its last step in the audit trail"),
      Flag.optional
    ),
    certificates: Flag.String("certificates").pipe(
      Flag.withDescription(
        "Of evidence and PDF files: whom to trust, in PEM or as GET /signatures/certificates has answered"
      ),
      Flag.optional
    ),
    shown: Flag.String("shown").pipe(
      Flag.withDescription("Of a PDF file: the document that it has to begin with, byte for byte"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ anchor, certificates, file, head, shown }) {
    const bytes = yield* bytesOf(file)
    switch (kindOf(bytes)) {
      case "EVIDENCE":
        return yield* verifyArchive(file, bytes, certificates, anchor)
      case "PDF":
        return yield* verifyFile(file, bytes, certificates, shown)
      default:
        return yield* verifySteps(file, bytes, head)
    }
  })
).pipe(Command.withDescription("Check evidence, steps of a signature, or a sealed file"))
