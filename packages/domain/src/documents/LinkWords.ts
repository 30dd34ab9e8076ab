/** What is said where a link opens nothing, and what to do. */
interface Refusal {
  readonly heading: string
  readonly lead: string
}

/** What the page says that a link of a document shows before it opens it, or where it opens nothing. */
interface LinkWords {
  /** ISO 639-1. */
  readonly language: string
  readonly from: (tenant: string) => string
  readonly open: string
  readonly until: (instant: string) => string
  readonly once: string
  /** Before the message of a page that says what went wrong. */
  readonly error: string
  /** It was used, its time is over, or its document holds no longer. */
  readonly ended: Refusal
  /** It is none of ours. */
  readonly wrong: Refusal
  /** The document has no bytes yet that may be read. */
  readonly notReady: Refusal
  readonly wait: (minutes: number) => string
}

const english: LinkWords = {
  language: "en",
  from: (tenant) => `A document from ${tenant}`,
  open: "Open the document",
  until: (instant) => `This link works until ${instant}.`,
  once: "It opens the document a single time.",
  error: "Error",
  ended: {
    heading: "This link has ended",
    lead: "It has been used, its time is over, or the document holds no longer. Ask the sender for another link."
  },
  wrong: {
    heading: "This link leads to no document",
    lead: "It is not complete, or has a mistake in it. Open it from the message again, or ask the sender for another link."
  },
  notReady: {
    heading: "The document is not ready",
    lead: "Open the link again in a few minutes. If that does not help, tell the sender."
  },
  wait: (minutes) => `Too many tries. Wait ${minutes} min and open the link again.`
}

const words: ReadonlyArray<LinkWords> = [
  english,
  {
    language: "fr",
    from: (tenant) => `Un document de ${tenant}`,
    open: "Ouvrir le document",
    until: (instant) => `Ce lien est valable jusqu’au ${instant}.`,
    once: "Il n’ouvre le document qu’une seule fois.",
    error: "Erreur",
    ended: {
      heading: "Ce lien n’est plus valable",
      lead: "Il a déjà servi, a expiré, ou le document n’est plus d’actualité. Demandez un autre lien à l’expéditeur."
    },
    wrong: {
      heading: "Ce lien ne mène à aucun document",
      lead: "Il est incomplet ou comporte une erreur. Ouvrez-le à nouveau depuis le message, ou demandez un autre lien à l’expéditeur."
    },
    notReady: {
      heading: "Le document n’est pas prêt",
      lead: "Ouvrez le lien à nouveau dans quelques minutes. Si cela ne suffit pas, prévenez l’expéditeur."
    },
    wait: (minutes) => `Trop d’essais. Attendez ${minutes} min, puis ouvrez le lien à nouveau.`
  },
  {
    language: "de",
    from: (tenant) => `Ein Dokument von ${tenant}`,
    open: "Dokument öffnen",
    until: (instant) => `Dieser Link gilt bis ${instant}.`,
    once: "Er öffnet das Dokument ein einziges Mal.",
    error: "Fehler",
    ended: {
      heading: "Dieser Link gilt nicht mehr",
      lead: "Er wurde schon benutzt, ist abgelaufen, oder das Dokument gilt nicht mehr. Bitten Sie den Absender um einen neuen Link."
    },
    wrong: {
      heading: "Dieser Link führt zu keinem Dokument",
      lead: "Er ist unvollständig oder enthält einen Fehler. Öffnen Sie ihn noch einmal aus der Nachricht, oder bitten Sie den Absender um einen neuen Link."
    },
    notReady: {
      heading: "Das Dokument ist noch nicht fertig",
      lead: "Öffnen Sie den Link in einigen Minuten erneut. Hilft das nicht, sagen Sie es dem Absender."
    },
    wait: (minutes) =>
      `Zu viele Versuche. Warten Sie ${minutes} Min. und öffnen Sie den Link erneut.`
  },
  {
    language: "it",
    from: (tenant) => `Un documento di ${tenant}`,
    open: "Apri il documento",
    until: (instant) => `Questo link è valido fino al ${instant}.`,
    once: "Apre il documento una sola volta.",
    error: "Errore",
    ended: {
      heading: "Questo link non è più valido",
      lead: "È già stato usato, è scaduto, o il documento non vale più. Chieda un altro link al mittente."
    },
    wrong: {
      heading: "Questo link non porta a nessun documento",
      lead: "Non è completo o contiene un errore. Lo apra di nuovo dal messaggio, o chieda un altro link al mittente."
    },
    notReady: {
      heading: "Il documento non è pronto",
      lead: "Apra di nuovo il link tra qualche minuto. Se non basta, avvisi il mittente."
    },
    wait: (minutes) => `Troppi tentativi. Attenda ${minutes} min e apra di nuovo il link.`
  },
  {
    language: "es",
    from: (tenant) => `Un documento de ${tenant}`,
    open: "Abrir el documento",
    until: (instant) => `Este enlace es válido hasta el ${instant}.`,
    once: "Abre el documento una sola vez.",
    error: "Error",
    ended: {
      heading: "Este enlace ya no es válido",
      lead: "Ya se ha usado, ha caducado, o el documento ya no está vigente. Pida otro enlace al remitente."
    },
    wrong: {
      heading: "Este enlace no lleva a ningún documento",
      lead: "No está completo o contiene un error. Ábralo de nuevo desde el mensaje, o pida otro enlace al remitente."
    },
    notReady: {
      heading: "El documento no está listo",
      lead: "Abra de nuevo el enlace dentro de unos minutos. Si no basta, avise al remitente."
    },
    wait: (minutes) => `Demasiados intentos. Espere ${minutes} min y abra de nuevo el enlace.`
  }
]

/** The words for the first of these locales (BCP 47) whose language there are words in, or English ones. */
export const linkWordsOf = (...locales: ReadonlyArray<string>): LinkWords =>
  locales
    .map((locale) => words.find(({ language }) => language === locale.split("-")[0]))
    .find((found) => found !== undefined) ?? english
