import { assert, describe, it } from "@effect/vitest"
import { DocumentStatus } from "../../src/documents/Document.ts"
import { mayBecome, statesBefore } from "../../src/documents/DocumentTransitions.ts"

/** As the page says it, state by state. */
const page: Record<DocumentStatus, string> = {
  PENDING: "READY FAILED VOID",
  QUARANTINED: "READY REJECTED",
  READY: "VOID ERASED",
  FAILED: "PENDING VOID",
  REJECTED: "",
  VOID: "ERASED",
  ERASED: ""
}

const all = DocumentStatus.literals
const pairs = all.flatMap((from) => all.map((to) => [from, to] as const))

describe("the states of documents", () => {
  it.each(pairs)("%s to %s is as the page says", (from, to) => {
    assert.strictEqual(mayBecome(from, to), page[from].split(" ").includes(to))
    assert.strictEqual(statesBefore(to).includes(from), mayBecome(from, to))
  })
})
