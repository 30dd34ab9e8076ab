/** What the codes of the model are called, by language; a template may call them otherwise. */

const french = {
  TIER: "Formule",
  COVER: "Garantie",
  LIMIT: "plafond",
  DEDUCTIBLE: "franchise",
  FREQUENCY: "Fractionnement",
  ASSET: "Bien assuré",
  YES: "oui",
  NO: "non",
  YEARLY: "annuel",
  HALF_YEARLY: "semestriel",
  QUARTERLY: "trimestriel",
  MONTHLY: "mensuel",
  BIENNIAL: "tous les deux ans",
  WEEKLY: "hebdomadaire",
  DIRECT_DEBIT: "prélèvement",
  BANK_TRANSFER: "virement",
  POLICYHOLDER: "Souscripteur",
  DRIVER: "Conducteur",
  INSURED: "Assuré",
  PAYER: "Payeur",
  INDIVIDUAL: "particulier",
  COMPANY: "entreprise"
}

type Code = keyof typeof french

const german: Record<Code, string> = {
  TIER: "Tarif",
  COVER: "Deckung",
  LIMIT: "Höchstbetrag",
  DEDUCTIBLE: "Selbstbeteiligung",
  FREQUENCY: "Zahlweise",
  ASSET: "Versicherte Sache",
  YES: "ja",
  NO: "nein",
  YEARLY: "jährlich",
  HALF_YEARLY: "halbjährlich",
  QUARTERLY: "vierteljährlich",
  MONTHLY: "monatlich",
  BIENNIAL: "alle zwei Jahre",
  WEEKLY: "wöchentlich",
  DIRECT_DEBIT: "Lastschrift",
  BANK_TRANSFER: "Überweisung",
  POLICYHOLDER: "Versicherungsnehmer",
  DRIVER: "Fahrer",
  INSURED: "Versicherter",
  PAYER: "Beitragszahler",
  INDIVIDUAL: "Privatperson",
  COMPANY: "Unternehmen"
}

const spanish: Record<Code, string> = {
  TIER: "Modalidad",
  COVER: "Cobertura",
  LIMIT: "límite",
  DEDUCTIBLE: "franquicia",
  FREQUENCY: "Forma de pago",
  ASSET: "Bien asegurado",
  YES: "sí",
  NO: "no",
  YEARLY: "anual",
  HALF_YEARLY: "semestral",
  QUARTERLY: "trimestral",
  MONTHLY: "mensual",
  BIENNIAL: "cada dos años",
  WEEKLY: "semanal",
  DIRECT_DEBIT: "domiciliación bancaria",
  BANK_TRANSFER: "transferencia",
  POLICYHOLDER: "Tomador del seguro",
  DRIVER: "Conductor",
  INSURED: "Asegurado",
  PAYER: "Pagador",
  INDIVIDUAL: "particular",
  COMPANY: "empresa"
}

const italian: Record<Code, string> = {
  TIER: "Formula",
  COVER: "Garanzia",
  LIMIT: "massimale",
  DEDUCTIBLE: "franchigia",
  FREQUENCY: "Frazionamento",
  ASSET: "Bene assicurato",
  YES: "sì",
  NO: "no",
  YEARLY: "annuale",
  HALF_YEARLY: "semestrale",
  QUARTERLY: "trimestrale",
  MONTHLY: "mensile",
  BIENNIAL: "ogni due anni",
  WEEKLY: "settimanale",
  DIRECT_DEBIT: "addebito diretto",
  BANK_TRANSFER: "bonifico",
  POLICYHOLDER: "Contraente",
  DRIVER: "Conducente",
  INSURED: "Assicurato",
  PAYER: "Pagatore",
  INDIVIDUAL: "persona fisica",
  COMPANY: "impresa"
}

const english: Record<Code, string> = {
  TIER: "Plan",
  COVER: "Cover",
  LIMIT: "limit",
  DEDUCTIBLE: "excess",
  FREQUENCY: "Payment",
  ASSET: "Insured item",
  YES: "yes",
  NO: "no",
  YEARLY: "yearly",
  HALF_YEARLY: "half-yearly",
  QUARTERLY: "quarterly",
  MONTHLY: "monthly",
  BIENNIAL: "every two years",
  WEEKLY: "weekly",
  DIRECT_DEBIT: "direct debit",
  BANK_TRANSFER: "bank transfer",
  POLICYHOLDER: "Policyholder",
  DRIVER: "Driver",
  INSURED: "Insured",
  PAYER: "Payer",
  INDIVIDUAL: "individual",
  COMPANY: "company"
}

const languages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fr: french,
  de: german,
  es: spanish,
  it: italian,
  en: english
}

/** What a code is called in the language of a locale; `undefined` where the service has no word for it. */
export const word = (code: string, locale: string): string | undefined => {
  const words = languages[locale.slice(0, 2)]
  return words !== undefined && Object.hasOwn(words, code) ? words[code] : undefined
}
