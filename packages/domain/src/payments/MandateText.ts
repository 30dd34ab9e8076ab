/**
 * The text that a debtor signs, in their language: the authorization as the European Payments Council words
 * it (EPC131-08, EPC130-08), and whom, by which reference and from which account it lets collect.
 */
import type { DebitScheme, MandateType } from "./Mandate.ts"
import type { MandateLocale } from "./MandateRecord.ts"
import type { PartyAddress } from "./Party.ts"

export interface MandateParties {
  readonly locale: MandateLocale
  readonly scheme: DebitScheme
  readonly type: MandateType
  readonly umr: string
  readonly creditor: {
    readonly name: string
    readonly identifier: string
    readonly address: PartyAddress
  }
  readonly debtor: {
    readonly name: string
    readonly address?: PartyAddress | undefined
    /** The last four characters of the account's number. */
    readonly last4: string
  }
}

interface Wording {
  readonly title: Readonly<Record<DebitScheme, string>>
  readonly authorization: (creditor: string) => string
  readonly rights: Readonly<Record<DebitScheme, string>>
  readonly reference: string
  readonly creditor: string
  readonly identifier: string
  readonly debtor: string
  readonly account: (last4: string) => string
  readonly payment: Readonly<Record<MandateType, string>>
}

const wordings: Readonly<Record<MandateLocale, Wording>> = {
  en: {
    title: {
      CORE: "SEPA Direct Debit Mandate",
      B2B: "SEPA Business-to-Business Direct Debit Mandate"
    },
    authorization: (name) =>
      `By signing this mandate form, you authorise (A) ${name} to send instructions to your bank to debit your account and (B) your bank to debit your account in accordance with the instructions from ${name}.`,
    rights: {
      CORE: "As part of your rights, you are entitled to a refund from your bank under the terms and conditions of your agreement with your bank. A refund must be claimed within 8 weeks starting from the date on which your account was debited.",
      B2B: "This mandate is only intended for business-to-business transactions. You are not entitled to a refund from your bank after your account has been debited, but you are entitled to request your bank not to debit your account up until the day on which the payment is due."
    },
    reference: "Mandate reference",
    creditor: "Creditor",
    identifier: "Creditor identifier",
    debtor: "Debtor",
    account: (last4) => `Account ending in ${last4}`,
    payment: { RECURRENT: "Type of payment: recurrent", ONE_OFF: "Type of payment: one-off" }
  },
  fr: {
    title: {
      CORE: "Mandat de prélèvement SEPA",
      B2B: "Mandat de prélèvement SEPA interentreprises"
    },
    authorization: (name) =>
      `En signant ce formulaire de mandat, vous autorisez (A) ${name} à envoyer des instructions à votre banque pour débiter votre compte, et (B) votre banque à débiter votre compte conformément aux instructions de ${name}.`,
    rights: {
      CORE: "Vous bénéficiez du droit d'être remboursé par votre banque selon les conditions décrites dans la convention que vous avez passée avec elle. Une demande de remboursement doit être présentée dans les 8 semaines suivant la date de débit de votre compte.",
      B2B: "Ce mandat est réservé aux opérations entre professionnels. Vous n'avez pas droit au remboursement par votre banque une fois votre compte débité, mais vous pouvez lui demander de ne pas débiter votre compte jusqu'au jour de l'échéance."
    },
    reference: "Référence unique du mandat",
    creditor: "Créancier",
    identifier: "Identifiant créancier SEPA",
    debtor: "Débiteur",
    account: (last4) => `Compte se terminant par ${last4}`,
    payment: { RECURRENT: "Type de paiement : récurrent", ONE_OFF: "Type de paiement : ponctuel" }
  },
  de: {
    title: { CORE: "SEPA-Lastschriftmandat", B2B: "SEPA-Firmenlastschriftmandat" },
    authorization: (name) =>
      `Ich ermächtige (Wir ermächtigen) (A) ${name}, Zahlungen von meinem (unserem) Konto mittels Lastschrift einzuziehen. Zugleich (B) weise ich mein (weisen wir unser) Kreditinstitut an, die von ${name} auf mein (unser) Konto gezogenen Lastschriften einzulösen.`,
    rights: {
      CORE: "Ich kann (Wir können) innerhalb von acht Wochen, beginnend mit dem Belastungsdatum, die Erstattung des belasteten Betrages verlangen. Es gelten dabei die mit meinem (unserem) Kreditinstitut vereinbarten Bedingungen.",
      B2B: "Dieses Mandat dient nur dem Einzug von Lastschriften, die auf Konten von Unternehmen gezogen sind. Ich bin (Wir sind) nicht berechtigt, nach der erfolgten Einlösung eine Erstattung des belasteten Betrages zu verlangen. Ich bin (Wir sind) berechtigt, mein (unser) Kreditinstitut bis zum Fälligkeitstag anzuweisen, Lastschriften nicht einzulösen."
    },
    reference: "Mandatsreferenz",
    creditor: "Zahlungsempfänger",
    identifier: "Gläubiger-Identifikationsnummer",
    debtor: "Zahlungspflichtiger",
    account: (last4) => `Konto mit den letzten Stellen ${last4}`,
    payment: {
      RECURRENT: "Zahlungsart: wiederkehrende Zahlung",
      ONE_OFF: "Zahlungsart: einmalige Zahlung"
    }
  },
  es: {
    title: {
      CORE: "Orden de domiciliación de adeudo directo SEPA",
      B2B: "Orden de domiciliación de adeudo directo SEPA B2B"
    },
    authorization: (name) =>
      `Mediante la firma de esta orden de domiciliación, el deudor autoriza (A) a ${name} a enviar instrucciones a la entidad del deudor para adeudar su cuenta y (B) a la entidad para efectuar los adeudos en su cuenta siguiendo las instrucciones de ${name}.`,
    rights: {
      CORE: "Como parte de sus derechos, el deudor está legitimado al reembolso por su entidad en los términos y condiciones del contrato suscrito con la misma. La solicitud de reembolso deberá efectuarse dentro de las ocho semanas que siguen a la fecha de adeudo en cuenta.",
      B2B: "Esta orden está prevista exclusivamente para operaciones de empresa a empresa. El deudor no tiene derecho a que su entidad le reembolse una vez que se haya realizado el adeudo en cuenta, pero puede solicitar a su entidad que no efectúe el adeudo hasta la fecha de vencimiento."
    },
    reference: "Referencia de la orden de domiciliación",
    creditor: "Acreedor",
    identifier: "Identificador del acreedor",
    debtor: "Deudor",
    account: (last4) => `Cuenta que termina en ${last4}`,
    payment: { RECURRENT: "Tipo de pago: recurrente", ONE_OFF: "Tipo de pago: único" }
  },
  it: {
    title: {
      CORE: "Mandato per addebito diretto SEPA",
      B2B: "Mandato per addebito diretto SEPA B2B"
    },
    authorization: (name) =>
      `La sottoscrizione del presente mandato comporta (A) l'autorizzazione a ${name} a richiedere alla banca del debitore l'addebito del suo conto e (B) l'autorizzazione alla banca del debitore a procedere a tale addebito conformemente alle disposizioni impartite da ${name}.`,
    rights: {
      CORE: "Il debitore ha diritto di ottenere il rimborso dalla propria banca secondo gli accordi ed alle condizioni che regolano il rapporto con quest'ultima. Il rimborso deve essere richiesto nel termine di 8 settimane a decorrere dalla data di addebito in conto.",
      B2B: "Il presente mandato è riservato esclusivamente ai rapporti tra imprese. Il debitore non ha diritto al rimborso dalla propria banca successivamente all'addebito sul suo conto, ma ha il diritto di chiedere alla propria banca che il suo conto non venga addebitato entro la data di scadenza del pagamento."
    },
    reference: "Riferimento del mandato",
    creditor: "Creditore",
    identifier: "Identificativo del creditore",
    debtor: "Debitore",
    account: (last4) => `Conto che termina con ${last4}`,
    payment: { RECURRENT: "Tipo di pagamento: ricorrente", ONE_OFF: "Tipo di pagamento: singolo" }
  }
}

/** The text of a mandate, its lines parted by line feeds: the same facts give the same text. */
export const mandateText = ({
  creditor,
  debtor,
  locale,
  scheme,
  type,
  umr
}: MandateParties): string => {
  const wording = wordings[locale]
  return [
    wording.title[scheme],
    `${wording.reference}: ${umr}`,
    wording.authorization(creditor.name),
    wording.rights[scheme],
    `${wording.creditor}: ${creditor.name}, ${lineOf(creditor.address)}`,
    `${wording.identifier}: ${creditor.identifier}`,
    `${wording.debtor}: ${[debtor.name, ...(debtor.address === undefined ? [] : [lineOf(debtor.address)])].join(", ")}`,
    wording.account(debtor.last4),
    wording.payment[type]
  ].join("\n")
}

const lineOf = ({ country, number, postcode, street, town }: PartyAddress): string =>
  [[number, street], [postcode, town], [country]]
    .map((words) => words.filter((word) => word !== undefined).join(" "))
    .filter((words) => words !== "")
    .join(", ")
