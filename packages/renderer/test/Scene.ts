import { DocumentModel, type ModelParty } from "@quittance/domain/documents/DocumentModel"
import { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import { Schema } from "effect"

const holder: typeof ModelParty.Encoded = {
  id: "customer_test_1",
  role: "POLICYHOLDER",
  type: "INDIVIDUAL",
  name: "Camille Martin",
  address: "12 rue des Lilas\n69003 Lyon",
  paymentMode: "DIRECT_DEBIT",
  fields: []
}

/** A policy of one home with two covers, as the smallest template may show it. */
export const model = Schema.decodeSync(DocumentModel)({
  document: {
    model: 1,
    kind: "CONTRACT",
    title: "Contrat",
    trigger: "CONFIRMED",
    template: { id: "contract-fr", version: "1" },
    at: "2026-03-01T09:30:00.000Z",
    date: "2026-03-01",
    draft: false,
    example: false
  },
  tenant: { id: "rhone", name: "Assurances du Rhône" },
  product: {
    id: "home-fr",
    version: "1",
    name: "Habitation",
    country: "FR",
    currency: "EUR",
    timeZone: "Europe/Paris"
  },
  policy: {
    id: "policy_test_1",
    number: "MRH-2026-000 123",
    status: "POLICY_CONFIRMED",
    createdOn: "2026-03-01",
    startsAt: "2026-03-31T22:00:00.000Z",
    startsOn: "2026-04-01",
    endsOn: "2027-03-31",
    duration: { amount: 1, unit: "YEAR" },
    frequency: "MONTHLY",
    firstPayment: "NONE",
    fields: [{ key: "rooms", label: "Pièces", type: "INTEGER", value: 3 }]
  },
  holder,
  parties: [holder],
  assets: [],
  covers: [
    { id: "FIRE", name: "Incendie", options: [], deductible: 15000, premium: 4560 },
    { id: "THEFT", name: "Vol", options: [], limit: 1_500_000, premium: 123456 }
  ]
})

export const template = Schema.decodeSync(DocumentTemplate)({
  templateId: "contract-fr",
  version: "1",
  locale: "fr-FR",
  layout: "letter",
  title: "Conditions particulières",
  sender: ["{{tenant.name}}", "1 place Bellecour, 69002 Lyon"],
  recipient: ["{{holder.name}}", "{{holder.address}}"],
  facts: [{ label: "Contrat", value: "{{policy.number}}" }],
  footer: "{{tenant.name}}, entreprise régie par le code des assurances",
  draft: "Projet",
  blocks: [
    { kind: "heading", text: "Garanties" },
    { kind: "paragraph", text: "Du {{policy.startsOn|longDate}} au **{{policy.endsOn|date}}**." },
    {
      kind: "table",
      columns: [
        { title: "Garantie", share: 3 },
        { title: "Plafond", align: "RIGHT", share: 1 },
        { title: "Cotisation", align: "RIGHT", share: 1 }
      ],
      rows: [
        {
          each: { of: "covers", as: "cover" },
          cells: ["{{cover.name}}", "{{cover.limit|money|–}}", "{{cover.premium|money}}"]
        }
      ]
    },
    {
      kind: "clause",
      title: "Exclusions",
      text: "Ne sont pas couverts :\n\n- la guerre ;\n- *le reste*.",
      apparent: true
    },
    { kind: "signatureBox", parties: [{ label: "Souscripteur", name: "{{holder.name}}" }] }
  ]
})
