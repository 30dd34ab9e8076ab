/**
 * An invoice or credit note as the semantic model of EN 16931 has it. Amounts are in the minor unit, and of a
 * credit note they are what is given back. Premiums are exempt from VAT (Directive 2006/112/EC, art. 135 (1)
 * (a)), so the whole invoice has one category of VAT, `E`. Premium tax and other levies are no VAT: each is a
 * charge on the document (BG-21), and so is each fee. One that is given back is an allowance (BG-20).
 */
import type {
  DocumentModel,
  ModelInvoice,
  ModelParty
} from "@quittance/domain/documents/DocumentModel"
import type { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import type { ElectronicInvoicing } from "@quittance/domain/documents/ElectronicInvoicing"

export interface ElectronicLine {
  readonly label: string
  readonly periodStart: string
  readonly periodEnd: string
  readonly net: number
}

export interface ElectronicLevy {
  readonly name: string
  /** Above 0. */
  readonly amount: number
}

export interface ElectronicInvoice {
  /** UNTDID 1001: 380 is an invoice, 381 a credit note. */
  readonly type: "380" | "381"
  readonly invoice: ModelInvoice
  readonly currency: string
  readonly contract: string
  readonly seller: ElectronicInvoicing & { readonly name: string }
  readonly buyer: ModelParty
  readonly buyerCountry: string
  readonly lines: ReadonlyArray<ElectronicLine>
  readonly charges: ReadonlyArray<ElectronicLevy>
  readonly allowances: ReadonlyArray<ElectronicLevy>
  /** BT-106 to BT-115: `total` is `lines` with charges, without allowances; `due` is `total` without `settled`. */
  readonly sums: {
    readonly lines: number
    readonly charges: number
    readonly allowances: number
    readonly total: number
    readonly settled: number
    readonly due: number
  }
}

/** Absent where the payer is no company, the template is not meant for it, or there is no invoice. */
export const electronicInvoice = (
  { electronic }: DocumentTemplate,
  { invoice, policy, product, tenant }: DocumentModel
): ElectronicInvoice | undefined => {
  if (electronic === undefined || invoice === undefined) return undefined
  if (invoice.payer.type !== "COMPANY") return undefined
  const isCredit = invoice.type === "CREDIT_NOTE"
  // A credit note's amounts are below 0 in the books; its type says so on the wire.
  const signed = (amount: number) => (isCredit ? 0 - amount : amount)
  const levies = [...invoice.feeList, ...invoice.taxList].map(({ amount, name }) => ({
    name,
    amount: signed(amount)
  }))
  const charges = levies.filter(({ amount }) => amount > 0)
  const allowances = levies
    .filter(({ amount }) => amount < 0)
    .map(({ amount, name }) => ({ name, amount: 0 - amount }))
  const [total, due] = [signed(invoice.total), signed(invoice.due)]
  return {
    type: isCredit ? "381" : "380",
    invoice,
    currency: product.currency,
    contract: policy.number,
    seller: { ...electronic, name: tenant.name },
    buyer: invoice.payer,
    buyerCountry: product.country,
    lines: invoice.lines.map(({ label, net, periodEnd, periodStart }) => ({
      label,
      periodStart,
      periodEnd,
      net: signed(net)
    })),
    charges,
    allowances,
    sums: {
      lines: signed(invoice.net),
      charges: sumOf(charges),
      allowances: sumOf(allowances),
      total,
      settled: total - due,
      due
    }
  }
}

const sumOf = (all: ReadonlyArray<ElectronicLevy>): number =>
  all.reduce((sum, { amount }) => sum + amount, 0)
