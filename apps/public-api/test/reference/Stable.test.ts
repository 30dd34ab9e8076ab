import { assert, describe, it } from "@effect/vitest"
import { exampleSecret } from "@quittance/contract/requests/Examples"
import { exampleOf } from "./Stable.ts"

const run = {
  from: Date.parse("2027-01-20T10:00:00.250Z"),
  to: Date.parse("2027-01-20T10:00:30.000Z")
}

const example = (answer: unknown, operation = "policies.get") => exampleOf(operation, answer, run)

describe("an example", () => {
  it("has the same real time in every run, and business time as it was", () => {
    const createdAt = "2027-01-20T10:00:12.345Z"
    const expiresAt = "2027-01-27T10:00:12.345Z"
    const startedAt = "2026-03-31T22:00:00.000Z"
    assert.deepStrictEqual<unknown>(example({ createdAt, expiresAt, startedAt }), {
      createdAt: "2026-09-02T09:00:00.000Z",
      expiresAt: "2026-09-09T09:00:00.000Z",
      startedAt
    })
    // Whole seconds may lie before the run's beginning.
    assert.deepStrictEqual<unknown>(example({ expiresAt: "2027-01-20T11:00:00.000Z" }), {
      expiresAt: "2026-09-02T10:00:00.000Z"
    })
  })

  it("tells no secret that was drawn, and what else has a secret's name or form", () => {
    const drawn = "Qm6LWDDjM-QjkEvfnjJ2ppwrLkCCEQOpYUgS_Lifzxw"
    const id = "policy_test_Dz4NLgNAKLx83fJPTwFVH"
    assert.deepStrictEqual<unknown>(example({ clientSecret: drawn, x: drawn, id }), {
      clientSecret: exampleSecret,
      x: drawn,
      id
    })
  })

  it("shows two of many records, every plain value, and the beginning of a document", () => {
    const records = Array.from({ length: 50 }, (_, index) => ({ id: `RECORD_${index}` }))
    const scopes = records.map(({ id }) => id)
    const few = records.slice(0, 3)
    assert.deepStrictEqual<unknown>(example({ data: records, scopes, few }), {
      data: records.slice(0, 2),
      scopes,
      few
    })
    const document = { name: "Assurance automobile", records: records.concat(records), version: 1 }
    assert.deepStrictEqual<unknown>(example(document, "products.document"), {
      name: "Assurance automobile"
    })
  })
})
