import { assert, describe, it } from "@effect/vitest"
import { DebitScheme, MandateType } from "../../src/payments/Mandate.ts"
import { MandateLocale } from "../../src/payments/MandateRecord.ts"
import { type MandateParties, mandateText } from "../../src/payments/MandateText.ts"

const parties: MandateParties = {
  locale: "fr",
  scheme: "CORE",
  type: "RECURRENT",
  umr: "QM000000000197",
  creditor: {
    name: "Acme Assurances",
    identifier: "FR72ZZZ123456",
    address: {
      street: "Rue de la Paix",
      number: "2",
      postcode: "75002",
      town: "Paris",
      country: "FR"
    }
  },
  debtor: { name: "Camille Martin", last4: "0106" }
}

describe("the text of a mandate", () => {
  it("names creditor, reference, debtor and account in every language and scheme", () => {
    const texts = new Set<string>()
    for (const locale of MandateLocale.literals) {
      for (const scheme of DebitScheme.literals) {
        for (const type of MandateType.literals) {
          const text = mandateText({ ...parties, locale, scheme, type })
          texts.add(text)
          for (const said of [
            "Acme Assurances, 2 Rue de la Paix, 75002 Paris, FR",
            "FR72ZZZ123456",
            "QM000000000197",
            "Camille Martin",
            "0106"
          ]) {
            assert.include(text, said, locale)
          }
          // The eight weeks are a right of CORE alone (EPC rulebooks, 4.3.4).
          assert.strictEqual(/\b8\b|acht|ocho/u.test(text.split("\n")[3]!), scheme === "CORE", text)
        }
      }
    }
    assert.strictEqual(texts.size, 20)
  })

  it("is another one for each fact in it", () => {
    const { creditor, debtor } = parties
    const others: ReadonlyArray<MandateParties> = [
      { ...parties, umr: "QM000000000294" },
      { ...parties, creditor: { ...creditor, name: "Acme Vie" } },
      { ...parties, creditor: { ...creditor, identifier: "FR45ZZZ123457" } },
      { ...parties, creditor: { ...creditor, address: { town: "Lyon", country: "FR" } } },
      { ...parties, debtor: { ...debtor, name: "C. Martin" } },
      { ...parties, debtor: { ...debtor, last4: "0194" } },
      { ...parties, debtor: { ...debtor, address: { town: "Lyon", country: "FR" } } }
    ]
    const texts = new Set([parties, ...others].map(mandateText))
    assert.strictEqual(texts.size, others.length + 1)
    assert.strictEqual(mandateText({ ...parties }), mandateText(parties))
  })
})
