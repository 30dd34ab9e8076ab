/**
 * The letter that tells a payer of a debit before it is collected: amount, day, mandate and creditor (EPC rulebooks,
 * 4.3.1).
 */
import type { LocalDate } from "../values/LocalDate.ts"
import { html, text } from "./MailLayout.ts"
import { type MailText, origin, readable, type Sender } from "./MailText.ts"
import { amountText, dayText } from "./MailValues.ts"
import { wordingOf } from "./MailWording.ts"

export interface DebitLetterContent {
  readonly tenant: Sender
  readonly name: string | undefined
  /** Who collects. */
  readonly creditor: string
  readonly creditorIdentifier: string
  readonly umr: string
  /** The last characters of the payer's account. */
  readonly last4: string
  /** In minor units: the most that is taken. */
  readonly amount: number
  readonly currency: string
  readonly collectOn: LocalDate
  /** The printed numbers of the invoices. */
  readonly invoices: ReadonlyArray<string>
}

interface Words {
  readonly subject: (amount: string, day: string) => string
  readonly collected: (
    debit: Readonly<Record<"amount" | "creditor" | "day" | "last4", string>>
  ) => string
  readonly invoices: (numbers: string) => string
  readonly mandate: (umr: string, creditorIdentifier: string) => string
  readonly covered: string
}

const words: Readonly<Record<string, Words>> = {
  en: {
    subject: (amount, day) => `Direct debit of ${amount} on ${day}`,
    collected: ({ amount, creditor, day, last4 }) =>
      `${creditor} collects ${amount} on ${day} from your account that ends in ${last4}.`,
    invoices: (numbers) => `Invoices: ${numbers}.`,
    mandate: (umr, creditor) =>
      `Reference of your mandate: ${umr}. Creditor identifier: ${creditor}.`,
    covered:
      "Please see that the money is on the account then. If something is wrong, tell us before that day."
  },
  fr: {
    subject: (amount, day) => `Prélèvement de ${amount} le ${day}`,
    collected: ({ amount, creditor, day, last4 }) =>
      `${creditor} prélèvera ${amount} le ${day} sur votre compte se terminant par ${last4}.`,
    invoices: (numbers) => `Factures\u00a0: ${numbers}.`,
    mandate: (umr, creditor) =>
      `Référence unique de votre mandat\u00a0: ${umr}. Identifiant créancier SEPA\u00a0: ${creditor}.`,
    covered:
      "Veuillez approvisionner le compte pour cette date. En cas d’erreur, prévenez-nous avant ce jour."
  },
  de: {
    subject: (amount, day) => `Lastschrift über ${amount} am ${day}`,
    collected: ({ amount, creditor, day, last4 }) =>
      `${creditor} zieht am ${day} ${amount} von Ihrem Konto mit den Endziffern ${last4} ein.`,
    invoices: (numbers) => `Rechnungen: ${numbers}.`,
    mandate: (umr, creditor) =>
      `Mandatsreferenz: ${umr}. Gläubiger-Identifikationsnummer: ${creditor}.`,
    covered:
      "Bitte sorgen Sie bis dahin für Deckung. Wenn etwas nicht stimmt, sagen Sie es uns vor diesem Tag."
  },
  it: {
    subject: (amount, day) => `Addebito diretto di ${amount} il ${day}`,
    collected: ({ amount, creditor, day, last4 }) =>
      `${creditor} addebiterà ${amount} il ${day} sul Suo conto che termina con ${last4}.`,
    invoices: (numbers) => `Fatture: ${numbers}.`,
    mandate: (umr, creditor) =>
      `Riferimento del mandato: ${umr}. Identificativo del creditore: ${creditor}.`,
    covered:
      "La preghiamo di assicurare la copertura del conto per quella data. In caso di errore, ci avvisi prima di quel giorno."
  },
  es: {
    subject: (amount, day) => `Adeudo directo de ${amount} el ${day}`,
    collected: ({ amount, creditor, day, last4 }) =>
      `${creditor} cobrará ${amount} el ${day} en su cuenta terminada en ${last4}.`,
    invoices: (numbers) => `Facturas: ${numbers}.`,
    mandate: (umr, creditor) =>
      `Referencia única del mandato: ${umr}. Identificador del acreedor: ${creditor}.`,
    covered:
      "Le rogamos que haya saldo en la cuenta ese día. Si algo no es correcto, avísenos antes de esa fecha."
  }
}

/** The letter, in the language of its tenant. */
export const writeDebitLetter = (content: DebitLetterContent): MailText => {
  const { amount, collectOn, creditor, currency, invoices, last4, name, tenant, umr } = content
  const wording = wordingOf(tenant.locale)
  // There are words for each language that letters are written in.
  const own = words[wording.language]!
  const sum = amountText(amount, currency, wording.formats)
  const day = dayText(collectOn, wording.formats)
  const letter = {
    language: wording.language,
    subject: own.subject(sum, day),
    before: [
      wording.greeting(readable(name)),
      own.collected({ amount: sum, creditor, day, last4 }),
      own.invoices(invoices.join(", ")),
      own.mandate(umr, content.creditorIdentifier)
    ],
    after: [own.covered, ...origin(tenant, wording)],
    signature: tenant.name
  }
  return { subject: letter.subject, text: text(letter), html: html(letter) }
}
