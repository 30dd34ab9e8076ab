/** `quittance documents verify`: whether files are the documents that they say they are. */
import * as TemplateFiles from "@quittance/operations/documents/TemplateFiles"
import * as Renderer from "@quittance/renderer/Renderer"
import { type Verdict, verify as verdictOf } from "@quittance/renderer/Verification"
import { Console, Effect, FileSystem, Runtime, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { asProblems, problem } from "../Problem.ts"

/** What differs is printed already; what is left to say is the exit code. */
export class NotVerified extends Schema.TaggedError<NotVerified>()("NotVerified", {}) {
  override readonly [Runtime.errorReported] = false
}

const shipped = join(import.meta.dirname, "../../../../products/templates")

interface Asked {
  readonly files: ReadonlyArray<string>
  readonly hashes: ReadonlyArray<string>
  readonly templates: string
}

/** Says of each file what it is; whether all are what they say. */
const verified = Effect.fn("Verify.verified")(function* ({ files, hashes, templates }: Asked) {
  const fs = yield* FileSystem.FileSystem
  const known = yield* TemplateFiles.read(templates)
  const results = yield* Effect.forEach(
    files,
    Effect.fnUntraced(function* (file) {
      const bytes = yield* fs
        .readFile(file)
        .pipe(Effect.mapError((cause) => problem(`${file} can't be read; check its name.`, cause)))
      const verdict = yield* verdictOf(bytes, known)
      const judged = judge(verdict, createHash("sha256").update(bytes).digest("hex"), hashes)
      yield* Console.log(`${file}: ${judged.text}`)
      return judged.sound
    })
  )
  return results.every(Boolean)
})

export const verify = Command.make(
  "verify",
  {
    files: Argument.String("file").pipe(
      Argument.withDescription("Documents as the service gave them"),
      Argument.variadic({ min: 1 })
    ),
    templates: Flag.String("templates").pipe(
      Flag.withDescription("A folder with the templates that they were made of"),
      Flag.withDefault(shipped)
    ),
    hashes: Flag.String("sha256").pipe(
      Flag.withDescription(
        "What the service says of a file; it decides where none can be made again"
      ),
      Flag.atLeast(0)
    )
  },
  Effect.fn(function* (asked) {
    const sound = yield* verified(asked).pipe(Effect.provide(Renderer.layer), asProblems)
    if (!sound) return yield* new NotVerified()
  })
).pipe(
  Command.withDescription("Make documents again from the data inside them, and compare the bytes")
)

interface Judged {
  readonly sound: boolean
  readonly text: string
}

const judge = (verdict: Verdict, sha256: string, hashes: ReadonlyArray<string>): Judged => {
  switch (verdict.kind) {
    case "SAME":
      return { sound: true, text: `made again, the same bytes (${verdict.renderer})` }
    case "DIFFERENT":
      return {
        sound: false,
        text: `NOT what its data makes: byte ${verdict.from} differs, in ${verdict.where}`
      }
    default:
      return byHash(whyNot(verdict), sha256, hashes)
  }
}

/** Why a file can't be made again here. */
const whyNot = (verdict: Exclude<Verdict, { readonly kind: "SAME" | "DIFFERENT" }>): string => {
  switch (verdict.kind) {
    case "OTHER_RENDERER":
      return `made by ${verdict.renderer}, which is not this one`
    case "NO_TEMPLATE":
      return `made of ${verdict.templateId} ${verdict.version}, which is not among the templates; name their folder with --templates`
    case "IMAGES":
      return "made with images, which it does not carry"
    case "NO_DATA":
      return "it carries no data of a document"
  }
}

const byHash = (why: string, sha256: string, hashes: ReadonlyArray<string>): Judged => {
  if (hashes.includes(sha256)) return { sound: true, text: `the SHA-256 is as said (${why})` }
  const compared =
    hashes.length === 0
      ? "give the hash that the service says with --sha256"
      : `none of ${hashes.join(", ")}`
  return { sound: false, text: `NOT verified: ${why}; its SHA-256 is ${sha256}: ${compared}` }
}
