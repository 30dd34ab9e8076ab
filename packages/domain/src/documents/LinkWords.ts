/** What the page says that a link of a document shows before it opens it. */
interface LinkWords {
  /** ISO 639-1. */
  readonly language: string
  readonly from: (tenant: string) => string
  readonly open: string
  readonly until: (instant: string) => string
  readonly once: string
}

const english: LinkWords = {
  language: "en",
  from: (tenant) => `A document from ${tenant}`,
  open: "Open the document",
  until: (instant) => `This link works until ${instant}.`,
  once: "It opens the document a single time."
}

const words: ReadonlyArray<LinkWords> = [
  english,
  {
    language: "fr",
    from: (tenant) => `Un document de ${tenant}`,
    open: "Ouvrir le document",
    until: (instant) => `Ce lien est valable jusqu’au ${instant}.`,
    once: "Il n’ouvre le document qu’une seule fois."
  },
  {
    language: "de",
    from: (tenant) => `Ein Dokument von ${tenant}`,
    open: "Dokument öffnen",
    until: (instant) => `Dieser Link gilt bis ${instant}.`,
    once: "Er öffnet das Dokument ein einziges Mal."
  },
  {
    language: "it",
    from: (tenant) => `Un documento di ${tenant}`,
    open: "Apri il documento",
    until: (instant) => `Questo link è valido fino al ${instant}.`,
    once: "Apre il documento una sola volta."
  },
  {
    language: "es",
    from: (tenant) => `Un documento de ${tenant}`,
    open: "Abrir el documento",
    until: (instant) => `Este enlace es válido hasta el ${instant}.`,
    once: "Abre el documento una sola vez."
  }
]

/** The words for a locale (BCP 47): of its language, or English ones. */
export const linkWordsOf = (locale: string): LinkWords =>
  words.find(({ language }) => language === locale.split("-")[0]) ?? english
