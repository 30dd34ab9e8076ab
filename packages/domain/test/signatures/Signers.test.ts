/** Who signs, which documents, and until when. */
import { assert, describe, it } from "@effect/vitest"
import type { SignatureTerms } from "@quittance/domain/products/sale/SignatureTerms"
import { signatureFaults } from "@quittance/domain/products/sale/SignatureFaults"
import { expiryOf, signedDocuments } from "@quittance/domain/signatures/SignedContent"
import { signersOf } from "@quittance/domain/signatures/Signers"
import type { CustomerId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { Result } from "effect"

const terms: SignatureTerms = {
  method: "REQUEST",
  level: "SIMPLE",
  otp: "EMAIL",
  signers: [
    { role: "POLICYHOLDER", which: "ALL", order: 1 },
    { role: "DRIVER", which: "FIRST", order: 2 }
  ],
  expiresAfter: { amount: 1, unit: "MONTH" },
  remindAfterDays: [],
  delivery: "EMAIL"
}
const id = (n: number) => `customer_test_${String(n + 5).repeat(21)}` as CustomerId
const customers = [
  { id: id(1), role: "DRIVER" },
  { id: id(2), role: "POLICYHOLDER" },
  { id: id(3), role: "DRIVER" },
  { id: id(4), role: "POLICYHOLDER" }
]
const records = [1, 2, 3, 4].map((n) => ({
  id: id(n),
  name: `Zoë de la Cruz ${n}`,
  email: `${n}@example.test`
}))
const facts = { terms, customers, records, named: [] }

describe("who signs", () => {
  it("is who has the product's roles, in their order", () => {
    const signers = Result.getOrThrow(signersOf(facts))
    assert.deepStrictEqual(
      signers.map(({ customerId, firstName, lastName, order }) => [
        customerId,
        order,
        firstName,
        lastName
      ]),
      [
        [id(2), 1, "Zoë", "de la Cruz 2"],
        [id(4), 1, "Zoë", "de la Cruz 4"],
        [id(1), 2, "Zoë", "de la Cruz 1"]
      ]
    )
  })

  it("is who is named for a customer, and no one who does not sign by the product", () => {
    const named = [{ customerId: id(4), firstName: "Ana", lastName: "Roy", phone: "+331" }]
    const signers = Result.getOrThrow(signersOf({ ...facts, named }))
    assert.deepInclude(signers[1]!, {
      firstName: "Ana",
      lastName: "Roy",
      email: "4@example.test",
      phone: "+331"
    })
    const stranger = signersOf({ ...facts, named: [{ customerId: id(3) }] })
    assert.isTrue(Result.isFailure(stranger) && stranger.failure._tag === "InvalidReference")
  })

  it("is known by name and address", () => {
    const unnamed = { ...facts, records: [{ id: id(2), name: "Zoë", email: null }] }
    const failure = Result.getOrThrow(Result.flip(signersOf(unnamed)))
    assert.deepInclude(failure, { _tag: "SignerIncomplete", missing: ["email", "lastName"] })
    const alone = { ...terms, countersigner: { role: "INSURER", order: 9 } } as const
    const unknown = Result.getOrThrow(Result.flip(signersOf({ ...facts, terms: alone })))
    assert.deepInclude(unknown, { _tag: "SignerIncomplete", missing: ["userId"] })
    const none = Result.getOrThrow(Result.flip(signersOf({ ...facts, customers: [] })))
    assert.deepInclude(none, { _tag: "SignerIncomplete" })
  })
})

describe("what is signed", () => {
  const sha256 = "0".repeat(64)
  const product = {
    documents: [
      { id: "CONTRACT", branches: ["NEW_BUSINESS"], sign: true },
      { id: "NOTE", sign: true, when: { path: "a", in: ["b"] } },
      { id: "IPID" }
    ] as never
  }
  const row = { documentId: "d", definitionId: "CONTRACT", sha256, size: 9, pages: 1 }

  it("is each document with its bytes, once they are made", () => {
    const { frozen } = signedDocuments(product, "NEW_BUSINESS")
    assert.deepStrictEqual(Result.getOrThrow(frozen([row])), [
      { documentId: "d", sha256, size: 9, pages: 1 }
    ])
    for (const rows of [[], [{ ...row, sha256: null, size: null, pages: null }]]) {
      const failure = Result.getOrThrow(Result.flip(frozen(rows)))
      assert.deepStrictEqual(failure.definitionIds, ["CONTRACT"])
    }
    assert.deepStrictEqual(Result.getOrThrow(signedDocuments(product, "MTA").frozen([])), [])
  })

  it("ends on the calendar, and with its quote", () => {
    const at = {
      terms,
      asked: undefined,
      now: "2026-03-10T09:00:00.000Z" as Instant,
      product: { timeZone: "Europe/Paris" as never }
    }
    // The clocks go forward in between.
    assert.strictEqual(expiryOf({ ...at, ends: [] }), "2026-04-10T08:00:00.000Z")
    const quoteEnd = "2026-03-20T23:00:00.000Z" as Instant
    assert.strictEqual(expiryOf({ ...at, ends: [quoteEnd] }), quoteEnd)
    const asked = { amount: 2, unit: "HOUR" } as const
    assert.strictEqual(expiryOf({ ...at, asked, ends: [quoteEnd] }), "2026-03-10T11:00:00.000Z")
  })
})

describe("how a product is signed", () => {
  const faults = (more: object) =>
    [
      ...signatureFaults({
        customerRoles: ["POLICYHOLDER", "DRIVER"],
        signature: { ...terms, ...more }
      })
    ].map(({ pointer }) => pointer)

  it("is what the built-in provider gives, by roles that the product has", () => {
    assert.deepStrictEqual(faults({}), [])
    assert.deepStrictEqual(faults({ level: "QUALIFIED", otp: "SMS" }), [
      "/signature/level",
      "/signature/otp"
    ])
    const signers = [
      { role: "DRIVER", which: "ALL", order: 1 },
      { role: "DRIVER", which: "FIRST", order: 2 },
      { role: "OWNER", which: "ALL", order: 1 }
    ]
    assert.deepStrictEqual(faults({ signers }), [
      "/signature/signers/1/role",
      "/signature/signers/2/role"
    ])
    assert.deepStrictEqual(faults({ delivery: "EMAIL", remindAfterDays: [3, 7] }), [])
    assert.deepStrictEqual(faults({ delivery: "EMBEDDED", remindAfterDays: [3, 7] }), [
      "/signature/remindAfterDays"
    ])
    assert.deepStrictEqual(faults({ delivery: "LINK" }), [])
    // Who hands out the link would hold the only proof.
    assert.deepStrictEqual(faults({ delivery: "LINK", otp: "NONE" }), ["/signature/otp"])
    assert.deepStrictEqual(faults({ delivery: "EMAIL", otp: "NONE" }), [])
    assert.deepStrictEqual(faults({ delivery: "EMBEDDED", otp: "NONE" }), [])
    assert.deepStrictEqual(faults({ delivery: "LINK", remindAfterDays: [3] }), [
      "/signature/remindAfterDays"
    ])
  })
})
