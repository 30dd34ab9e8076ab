import { assert, describe, it } from "@effect/vitest"
import {
  type DocumentSubjects,
  dueDocuments,
  lettersTo,
  occasionOf
} from "../../src/documents/DocumentPlan.ts"
import {
  type DocumentDefinition,
  DocumentTrigger
} from "../../src/products/documents/DocumentDefinition.ts"
import { BranchType } from "../../src/products/ProductTerms.ts"
import { eventNames } from "../../src/EventType.ts"
import * as PrefixedId from "../../src/values/PrefixedId.ts"
import type { AssetId, CustomerId } from "../../src/values/Ids.ts"

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

// Examples have the form of their kind.
const [holder, driver] = [
  PrefixedId.example("customer") as CustomerId,
  PrefixedId.example("customer").replace("346", "643") as CustomerId
]
const asset = PrefixedId.example("asset") as AssetId
const subjects: DocumentSubjects = {
  customers: [
    { id: holder, role: "POLICYHOLDER" },
    { id: driver, role: "DRIVER" }
  ],
  assets: [asset],
  payers: [holder]
}

const due = (
  documents: ReadonlyArray<DocumentDefinition>,
  trigger: DocumentTrigger,
  branchType: BranchType
) => dueDocuments({ documents }, trigger, branchType, subjects)

const idsOf = (...asked: Parameters<typeof due>) =>
  due(...asked).map(({ definition }) => definition.id)

describe("the documents that an event makes", () => {
  it("are those of its trigger, on every kind of branch that can have it", () => {
    for (const trigger of DocumentTrigger.literals) {
      const branches = BranchType.literals.filter(
        (type) => idsOf([{ ...quote, on: [trigger] }], trigger, type).length === 1
      )
      const offers = ["NEW_BUSINESS", "MTA", "RENEWAL", "REPRICING"]
      const expected =
        trigger === "QUOTED" || trigger === "CONFIRMED"
          ? offers
          : ["STARTED", "SUSPENDED", "REACTIVATED", "STOPPED", "REINSTATED"].includes(trigger)
            ? ["BASE"]
            : ["BASE", ...offers]
      assert.deepStrictEqual(branches, expected, trigger)
      for (const other of DocumentTrigger.literals) {
        const isToo = trigger === "RENEWAL_NOTICE" && other === "QUOTED"
        if (other === trigger) continue
        const found = idsOf([{ ...quote, on: [trigger] }], other, "RENEWAL")
        assert.deepStrictEqual(found, isToo ? ["quote"] : [], `${trigger} on ${other}`)
      }
    }
  })

  it("are those of the branch; a sale is signed on the branch that it opens", () => {
    const amendment: DocumentDefinition = { ...quote, branches: ["MTA"] }
    assert.deepStrictEqual(idsOf([amendment], "QUOTED", "MTA"), ["quote"])
    assert.deepStrictEqual(idsOf([amendment], "QUOTED", "NEW_BUSINESS"), [])
    const welcome: DocumentDefinition = { ...quote, on: ["SIGNED"], branches: ["NEW_BUSINESS"] }
    assert.deepStrictEqual(idsOf([welcome], "SIGNED", "BASE"), ["quote"])
  })

  it("are made anew when what was signed comes into force, and so is what is to be paid", () => {
    const contract: DocumentDefinition = {
      ...quote,
      kind: "CONTRACT",
      on: ["CONFIRMED"],
      sign: true
    }
    assert.deepStrictEqual(idsOf([contract], "MERGED", "NEW_BUSINESS"), ["quote"])
    const { sign: _, ...unsigned } = contract
    assert.deepStrictEqual(idsOf([unsigned], "MERGED", "NEW_BUSINESS"), [])
    const schedule: DocumentDefinition = { ...quote, kind: "SCHEDULE", on: ["SIGNED"] }
    assert.deepStrictEqual(idsOf([schedule], "SIGNED", "BASE"), ["quote"])
    assert.deepStrictEqual(idsOf([schedule], "SIGNED", "MTA"), [])
    assert.deepStrictEqual(idsOf([schedule], "MERGED", "MTA"), ["quote"])
    assert.deepStrictEqual(idsOf([schedule], "MERGED", "NEW_BUSINESS"), [])
  })

  it("are one for each customer of the roles, each asset, or each payer", () => {
    const of = (definition: DocumentDefinition) =>
      due([definition], "QUOTED", "NEW_BUSINESS").map(
        ({ assetId, customerId }) => assetId ?? customerId
      )
    assert.deepStrictEqual(of(quote), [undefined])
    assert.deepStrictEqual(of({ ...quote, per: "POLICY" }), [undefined])
    assert.deepStrictEqual(of({ ...quote, per: "CUSTOMER" }), [holder, driver])
    assert.deepStrictEqual(of({ ...quote, per: "CUSTOMER", roles: ["DRIVER"] }), [driver])
    assert.deepStrictEqual(of({ ...quote, per: "ASSET" }), [asset])
    assert.deepStrictEqual(of({ ...quote, per: "PAYER" }), [holder])
    assert.deepStrictEqual(idsOf([quote, invoice], "INVOICED", "BASE"), ["invoice"])
  })
})

describe("an event", () => {
  it("ends the offer that was before it, and no invoice", () => {
    assert.isTrue(occasionOf("policy.quoted")?.outdates?.includes("QUOTED"))
    assert.deepStrictEqual(occasionOf("policy.reopened"), { outdates: ["CONFIRMED"] })
    assert.isUndefined(occasionOf("invoice.issued")?.outdates)
  })

  it("makes documents of every trigger but those that are asked for or told with an offer", () => {
    const made = new Set(eventNames.map((name) => occasionOf(name)?.makes))
    const unmade = DocumentTrigger.literals.filter((trigger) => !made.has(trigger))
    assert.deepStrictEqual(unmade, ["RENEWAL_NOTICE", "ON_DEMAND"])
  })
})

describe("the letters of a document", () => {
  const { customers } = subjects

  it("go to none unless the product has it delivered", () => {
    for (const deliver of [{}, { deliver: "NONE" }] as const) {
      assert.deepStrictEqual(lettersTo(deliver, holder, customers), [])
    }
  })

  it("go to the customer it is for, else to each policyholder", () => {
    const mailed = { deliver: "EMAIL" } as const
    assert.deepStrictEqual(lettersTo(mailed, driver, customers), [driver])
    assert.deepStrictEqual(lettersTo(mailed, undefined, customers), [holder])
    assert.deepStrictEqual(lettersTo(mailed, undefined, []), [])
  })
})
