import { DocumentModel, type ModelParty } from "@quittance/domain/documents/DocumentModel"
import { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import { Schema } from "effect"

export interface Line {
  readonly net: number
  readonly fee: number
  readonly tax: number
  readonly label?: string
}

export const template = Schema.decodeSync(DocumentTemplate)({
  templateId: "invoice",
  version: "1",
  locale: "fr-FR",
  layout: "letter",
  title: "Facture {{invoice.number}}",
  sender: ["{{tenant.name}}"],
  draft: "Projet",
  electronic: {
    seller: {
      registered: { scheme: "0002", number: "999999999" },
      vatId: "FR14999999999",
      street: "1 place Bellecour",
      postalCode: "69002",
      city: "Lyon",
      country: "FR"
    },
    iban: "FR7630006000011234567890189",
    vatExemption: { code: "VATEX-FR-CGI261C-2", reason: "Article 261 C, 2° du CGI" }
  },
  blocks: [{ kind: "paragraph", text: "{{invoice.total|money}}" }]
})

const company: typeof ModelParty.Encoded = {
  id: "customer_test_1",
  role: "POLICYHOLDER",
  type: "COMPANY",
  name: "Ateliers du Rhône SAS",
  address: "12 rue des Lilas\n69003 Lyon",
  postal: { street: "12 rue des Lilas", postalCode: "69003", city: "Lyon" },
  paymentMode: "BANK_TRANSFER",
  fields: [{ key: "siret", label: "SIRET", type: "STRING", value: "73282932000074" }]
}

interface About {
  readonly type?: "INVOICE" | "CREDIT_NOTE"
  readonly payer?: "COMPANY" | "INDIVIDUAL"
  /** What of the total is no longer due. */
  readonly settled?: number
}

const period = { periodStart: "2026-04-01", periodEnd: "2027-03-31" }

const sum = (all: ReadonlyArray<number>) => all.reduce((total, one) => total + one, 0)

/** The model of an invoice with these lines, in cents. */
export const model = (
  lines: ReadonlyArray<Line>,
  { payer = "COMPANY", settled = 0, type = "INVOICE" }: About
): DocumentModel => {
  const net = sum(lines.map((line) => line.net))
  const fees = sum(lines.map(({ fee }) => fee))
  const taxes = sum(lines.map(({ tax }) => tax))
  const total = net + fees + taxes
  const party = { ...company, type: payer }
  return Schema.decodeSync(DocumentModel)({
    document: {
      model: 1,
      kind: "INVOICE",
      title: "Facture",
      trigger: "INVOICED",
      template: { id: "invoice", version: "1" },
      at: "2026-04-01T00:00:00.000Z",
      date: "2026-04-01",
      draft: false,
      example: false
    },
    tenant: { id: "rhone", name: "Assurances du Rhône & Cie" },
    product: {
      id: "fleet-fr",
      version: "1",
      name: "Flotte",
      country: "FR",
      currency: "EUR",
      timeZone: "Europe/Paris"
    },
    policy: {
      id: "policy_test_1",
      number: "P-1",
      status: "POLICY_STARTED",
      createdOn: "2026-03-01",
      startsAt: "2026-03-31T22:00:00.000Z",
      startsOn: "2026-04-01",
      endsOn: "2027-03-31",
      duration: { amount: 1, unit: "YEAR" },
      frequency: "YEARLY",
      firstPayment: "NONE",
      fields: []
    },
    holder: party,
    parties: [party],
    assets: [],
    covers: [],
    invoice: {
      id: "invoice_test_1",
      type,
      number: "F-2",
      issuedOn: "2026-04-01",
      dueOn: "2026-04-16",
      ...period,
      payer: party,
      onePeriod: true,
      lines: lines.map(({ fee, label = "Cover", net: premium, tax }) => ({
        label,
        ...period,
        net: premium,
        fees: fee,
        taxes: tax,
        total: premium + fee + tax
      })),
      net,
      fees,
      taxes,
      total,
      feeList: [{ id: "fee", name: "Fee", amount: fees }],
      taxList: [{ id: "tax", name: "Premium tax", amount: taxes }],
      paid: settled,
      due: total - settled,
      payment: "BANK_TRANSFER",
      ...(type === "CREDIT_NOTE" ? { creditedNumber: "F-1" } : {})
    }
  })
}
