/** `quittance evidence verify`, as people type it: each change of an answer is found without the service. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { chained, readable } from "@quittance/domain/signatures/EvidenceStep"
import type { SignatureId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import * as PrefixedId from "@quittance/domain/values/PrefixedId"
import { sha256 } from "@quittance/operations/values/Sha256"
import { Console, Effect, Exit } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { runQuittance } from "../src/QuittanceCommand.ts"

const folder = mkdtempSync(join(tmpdir(), "quittance-evidence-"))
afterAll(() => rmSync(folder, { recursive: true }))

const signatureId = PrefixedId.example("signature") as SignatureId
const origin = {
  signatureId,
  at: "2026-04-01T08:00:00.000Z" as Instant,
  recordedAt: "2026-11-26T17:00:00.123Z" as Instant,
  actor: { kind: "USER", id: "user_1" },
  address: "2001:db8::1",
  userAgent: ""
} as const
const steps = readable(
  chained(
    [
      { kind: "CONSENT_GIVEN", textId: "TERMS", sha256: sha256("terms") },
      { kind: "SIGNED", signer: { firstName: "Zoë", lastName: "Ünal", email: "z@example.test" } }
    ],
    origin,
    sha256
  )
)
const head = steps.at(-1)!.hash
const answer = { signatureId, head, status: "INTACT", steps }

/** What the command prints of a file, and whether it fails. */
const verify = Effect.fnUntraced(function* (written: string, ...flags: ReadonlyArray<string>) {
  const file = join(folder, "steps.json")
  writeFileSync(file, written)
  const lines: Array<string> = []
  const heard = { ...console, log: (text: string) => void lines.push(text), error: () => undefined }
  const exit = yield* runQuittance("0", ["evidence", "verify", file, ...flags]).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(Console.Console, heard),
    Effect.exit
  )
  return { failed: Exit.isFailure(exit), text: lines.join("\n").replace(file, "") }
})

describe("quittance evidence verify", () => {
  it.live("follows the steps to the last, in whatever form the answer was kept", () =>
    Effect.gen(function* () {
      const own = yield* verify(JSON.stringify(answer, undefined, 2))
      assert.isFalse(own.failed)
      assert.include(own.text, `2 steps, the last ${head}; compare`)
      const anchored = yield* verify(JSON.stringify(answer), "--head", head)
      assert.deepStrictEqual(anchored, { failed: false, text: `: 2 steps, the last ${head}` })
    })
  )

  it.live("names the step that was changed, removed or added, and fails", () =>
    Effect.gen(function* () {
      const [first, last] = steps
      const found = Effect.fnUntraced(function* (changed: object, ...flags: ReadonlyArray<string>) {
        const { failed, text } = yield* verify(JSON.stringify({ ...answer, ...changed }), ...flags)
        assert.isTrue(failed, text)
        return text
      })
      const renamed = { ...last, signer: { ...last!.signer, firstName: "Zoe" } }
      assert.match(yield* found({ steps: [first, renamed] }), /NOT intact: step 2: its content/u)
      const further = { ...first, further: true }
      assert.match(yield* found({ steps: [further, last] }), /step 1: its content/u)
      assert.match(yield* found({ steps: [last] }), /step 1: a step is missing/u)
      assert.match(yield* found({ steps: [first] }), /step 1: it is not the last step/u)
      assert.match(yield* found({ steps: [first, last, last] }), /step 3: a step is missing/u)
      assert.match(yield* found({}, "--head", "0".repeat(64)), /step 2: it is not the last step/u)
      // All hashed again is found by the head that the audit trail has, and by nothing in the file.
      const again = readable(chained([{ kind: "SIGNED" }], origin, sha256))
      const forged = { head: again[0]!.hash, steps: again }
      assert.match(yield* found(forged, "--head", head), /step 1: it is not the last step/u)
    })
  )

  it.live("says which answer it wants", () =>
    Effect.gen(function* () {
      assert.isTrue((yield* verify("{}")).failed)
      assert.isTrue((yield* verify("no JSON")).failed)
    })
  )
})
