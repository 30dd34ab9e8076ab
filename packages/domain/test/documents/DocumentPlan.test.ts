import { assert, describe, it } from "@effect/vitest"
import { definitionsOf, occasionOf } from "../../src/documents/DocumentPlan.ts"
import type { DocumentDefinition } from "../../src/products/documents/DocumentDefinition.ts"
import type { BranchType } from "../../src/products/ProductTerms.ts"

const quote: DocumentDefinition = {
  id: "quote",
  kind: "QUOTE",
  title: "Devis",
  source: { template: "quote-fr", version: "1" },
  on: ["QUOTED"],
  visibility: "CUSTOMER"
}
const invoice: DocumentDefinition = {
  ...quote,
  id: "invoice",
  kind: "INVOICE",
  on: ["INVOICED"],
  per: "PAYER"
}

const idsOf = (
  documents: ReadonlyArray<DocumentDefinition>,
  trigger: DocumentDefinition["on"][number],
  branchType: BranchType
) => definitionsOf({ documents }, trigger, branchType).map(({ id }) => id)

describe("the documents that an event makes", () => {
  it("are those of its trigger", () => {
    const documents = [quote, invoice]
    assert.deepStrictEqual(idsOf(documents, "QUOTED", "NEW_BUSINESS"), ["quote"])
    assert.deepStrictEqual(idsOf(documents, "INVOICED", "BASE"), ["invoice"])
    assert.deepStrictEqual(idsOf(documents, "CONFIRMED", "NEW_BUSINESS"), [])
    assert.deepStrictEqual(definitionsOf({}, "QUOTED", "NEW_BUSINESS"), [])
  })

  it("are no offers where a merge tells again what was quoted", () => {
    assert.deepStrictEqual(idsOf([quote], "QUOTED", "BASE"), [])
  })

  it("are those of the branch", () => {
    const amendment: DocumentDefinition = { ...quote, branches: ["MTA"] }
    assert.deepStrictEqual(idsOf([amendment], "QUOTED", "MTA"), ["quote"])
    assert.deepStrictEqual(idsOf([amendment], "QUOTED", "NEW_BUSINESS"), [])
  })

  it("leave out what the service does not make yet", () => {
    const left: ReadonlyArray<DocumentDefinition> = [
      { ...quote, per: "CUSTOMER" },
      { ...quote, per: "ASSET" },
      { ...quote, kind: "ENDORSEMENT" },
      { ...quote, source: { file: "0".repeat(64) } },
      { ...quote, when: { path: "policy.name", in: ["a"] } }
    ]
    for (const one of left) assert.deepStrictEqual(idsOf([one], "QUOTED", "NEW_BUSINESS"), [])
  })
})

describe("an event", () => {
  it("ends the offer that was before it, and no invoice", () => {
    assert.deepStrictEqual(occasionOf("policy.quoted")?.outdates, ["QUOTED", "CONFIRMED"])
    assert.deepStrictEqual(occasionOf("policy.reopened"), { outdates: ["CONFIRMED"] })
    assert.deepStrictEqual(occasionOf("invoice.issued")?.outdates, [])
    assert.isUndefined(occasionOf("policy.signed"))
  })
})
