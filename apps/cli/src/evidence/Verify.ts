/** `quittance evidence verify`: whether the steps of a signature are as they were recorded. */
import {
  type EvidenceFault,
  faultOf,
  type StoredStep
} from "@quittance/domain/signatures/EvidenceStep"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import { SignatureId } from "@quittance/domain/values/Ids"
import { sha256 } from "@quittance/operations/values/Sha256"
import { Console, Effect, FileSystem, Option, Runtime, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { asProblems, problem } from "../Problem.ts"
import { counted } from "../terminal/Numbers.ts"

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

const reasons: Readonly<Record<EvidenceFault["reason"], string>> = {
  CONTENT: "its content does not give its hash, or is none of a step",
  SIGNATURE: "it is another signature's",
  NUMBER: "a step is missing, was added or moved",
  PREVIOUS: "it follows another step than it says",
  HEAD: "it is not the last step that was recorded"
}

const verdictOf = Effect.fn("Verify.verdictOf")(function* (
  file: string,
  head: Option.Option<string>
) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs
    .readFileString(file)
    .pipe(Effect.mapError((cause) => problem(`${file} can't be read; check its name.`, cause)))
  const read = yield* decode(text).pipe(
    Effect.mapError((cause) =>
      problem(`${file} is no answer of GET /signatures/{signatureId}/steps.`, cause)
    )
  )
  const steps = read.steps.map(hashedOf)
  const recorded = { signatureId: read.signatureId, head: Option.getOrElse(head, () => read.head) }
  return { fault: faultOf(steps, recorded, sha256), count: steps.length, head: recorded.head }
})

export const verify = Command.make(
  "verify",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("What GET /signatures/{signatureId}/steps has answered")
    ),
    head: Flag.String("head").pipe(
      Flag.withDescription(
        "The hash of the last step by the audit trail; that in the file unless said"
      ),
      Flag.optional
    )
  },
  Effect.fn(function* ({ file, head: given }) {
    const { count, fault, head } = yield* verdictOf(file, given).pipe(asProblems)
    if (fault !== undefined) {
      yield* Console.log(`${file}: NOT intact: step ${fault.n}: ${reasons[fault.reason]}`)
      return yield* new NotIntact()
    }
    const trust = Option.isSome(given)
      ? ""
      : "; compare the last hash with the audit trail, or give it with --head"
    yield* Console.log(`${file}: ${counted(count, "step")}, the last ${head}${trust}`)
  })
).pipe(Command.withDescription("Hash the steps of a signature again, and follow them to the last"))
