/** The chain of a signature's steps: whatever is changed in it is found, and named. */
import { assert, describe, it } from "@effect/vitest"
import {
  chained,
  faultOf,
  readable,
  type StepFacts,
  type StoredStep
} from "@quittance/domain/signatures/EvidenceStep"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import type { BranchId, PolicyId, QuoteId, SignatureId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import * as PrefixedId from "@quittance/domain/values/PrefixedId"
import { createHash } from "node:crypto"

const hash = (text: string) => createHash("sha256").update(text).digest("hex")

const signatureId = PrefixedId.example("signature") as SignatureId
const otherId = `signature_test_${"X".repeat(21)}` as SignatureId
const origin = {
  signatureId,
  at: "2026-04-01T08:00:00.000Z" as Instant,
  recordedAt: "2026-11-26T17:00:00.123Z" as Instant,
  actor: { kind: "ANONYMOUS", id: "anonymous_session_1" },
  address: "2001:db8::1",
  userAgent: 'Firefox/142 "é"'
} as const
const facts: ReadonlyArray<StepFacts> = [
  { kind: "CONSENT_GIVEN", textId: "TERMS", sha256: hash("terms") },
  { kind: "CONSENT_GIVEN", textId: "ADVICE", sha256: hash("advice") },
  {
    kind: "SIGNED",
    policyId: PrefixedId.example("policy") as PolicyId,
    branchId: PrefixedId.example("branch") as BranchId,
    quotes: [{ quoteId: PrefixedId.example("quote") as QuoteId, stateDigest: hash("state") }],
    signer: { firstName: "Zoë", lastName: "O'Neil", email: "zoe@example.test" }
  }
]
const steps = chained(facts, origin, hash)
const head = steps.at(-1)!.hash

const judge = (changed: ReadonlyArray<StoredStep>, expected: string | undefined = head) =>
  faultOf(changed, { signatureId, head: expected }, hash)

/** Every leaf of a value, by its path. */
const leaves = (
  value: unknown,
  path: ReadonlyArray<string> = []
): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]))
    : [path]

const withLeaf = (value: unknown, [key, ...rest]: ReadonlyArray<string>): unknown => {
  if (key === undefined) return typeof value === "number" ? value + 1 : `${String(value)}x`
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = withLeaf(copy[key], rest)
  return copy
}

describe("the steps of a signature", () => {
  it("are whole as they were recorded, and are shown with their hashes", () => {
    assert.isUndefined(judge(steps))
    const shown = readable(steps)
    assert.lengthOf(shown, 3)
    for (const { hash: own, ...content } of shown) {
      assert.strictEqual(hash(canonicalJson(content)), own)
    }
  })

  it("of an earlier version, which wrote no telephone, are whole", () => {
    const content = `{"actor":{"id":"user_1","kind":"USER"},"address":"2001:db8::1","at":"2026-04-01T08:00:00.000Z","kind":"CORRECTED","n":1,"prev":"${"0".repeat(64)}","recordedAt":"2026-11-26T17:00:00.123Z","signatureId":"${signatureId}","signer":{"email":"zoe@example.test","firstName":"Zoe","lastName":"Martin"},"userAgent":"Firefox/142"}`
    const own = "9f0cbc06aeae7a13e26f8d6e11ab0dec0e7078ebb74beed7f18d0551da8e2005"
    assert.isUndefined(judge([{ content, hash: own }], own))
  })

  it("show each change of any field, with and without a new hash of the step", () => {
    for (const [index, step] of steps.entries()) {
      const content: unknown = JSON.parse(step.content)
      const paths = leaves(content)
      assert.isAbove(paths.length, 8)
      for (const path of paths) {
        const text = canonicalJson(withLeaf(content, path))
        const n = index + 1
        const unhashed = steps.with(index, { ...step, content: text })
        assert.deepStrictEqual(judge(unhashed), { n, reason: "CONTENT" }, path.join("/"))
        const hashed = judge(steps.with(index, { content: text, hash: hash(text) }))
        assert.isDefined(hashed, path.join("/"))
        // What is changed and hashed again is found at the step or at the one after it.
        assert.include([n, n + 1], hashed.n)
      }
    }
  })

  it("show each changed byte", () => {
    for (const [index, step] of steps.entries()) {
      for (let at = 0; at < step.content.length; at++) {
        const other = step.content[at] === "7" ? "8" : "7"
        const content = step.content.slice(0, at) + other + step.content.slice(at + 1)
        const fault = judge(steps.with(index, { ...step, content }))
        assert.deepStrictEqual(fault, { n: index + 1, reason: "CONTENT" })
      }
    }
  })

  it("show what was removed, moved or added", () => {
    assert.deepStrictEqual(judge(steps.slice(1)), { n: 1, reason: "NUMBER" })
    assert.deepStrictEqual(judge(steps.toSpliced(1, 1)), { n: 2, reason: "NUMBER" })
    assert.deepStrictEqual(judge(steps.slice(0, -1)), { n: 2, reason: "HEAD" })
    assert.deepStrictEqual(judge([]), { n: 1, reason: "HEAD" })
    const [first, second, third] = steps as [StoredStep, StoredStep, StoredStep]
    assert.deepStrictEqual(judge([second, first, third]), { n: 1, reason: "NUMBER" })
    assert.deepStrictEqual(judge([...steps, third]), { n: 4, reason: "NUMBER" })
    const longer = chained([...facts, facts[0]!], origin, hash)
    assert.deepStrictEqual(judge(longer), { n: 4, reason: "HEAD" })
  })

  it("show another chain, a chain of another signature, and a trail without a last step", () => {
    const shorter = chained(facts.slice(1), origin, hash)
    assert.deepStrictEqual(judge([steps[0]!, shorter[1]!]), { n: 2, reason: "PREVIOUS" })
    const swapped = chained(facts, { ...origin, signatureId: otherId }, hash)
    assert.deepStrictEqual(judge(swapped, swapped.at(-1)!.hash), { n: 1, reason: "SIGNATURE" })
    const again = chained(facts, { ...origin, address: "::1" }, hash)
    assert.deepStrictEqual(judge(again), { n: 3, reason: "HEAD" })
    const unrecorded = faultOf(steps, { signatureId, head: undefined }, hash)
    assert.deepStrictEqual(unrecorded, { n: 3, reason: "HEAD" })
  })

  it("show other bytes with the same meaning, and members that no step has", () => {
    const [first, ...rest] = steps as readonly [StoredStep, ...ReadonlyArray<StoredStep>]
    for (const content of [
      first.content.replace(",", ", "),
      canonicalJson({ ...JSON.parse(first.content), further: "x" })
    ]) {
      const fault = judge([{ content, hash: hash(content) }, ...rest])
      assert.deepStrictEqual(fault, { n: 1, reason: "CONTENT" })
    }
  })

  it("are shown as far as they can be read", () => {
    const broken = steps.with(1, { ...steps[1]!, content: "erased" })
    assert.lengthOf(readable(broken), 1)
    assert.deepStrictEqual(judge(broken), { n: 2, reason: "CONTENT" })
  })
})
