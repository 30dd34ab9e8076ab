/** What the page says on which a customer adds the file that a letter asks for. */
interface UploadPageWords {
  /** ISO 639-1. */
  readonly language: string
  readonly from: (tenant: string) => string
  readonly file: string
  readonly send: string
  readonly once: string
  /** The file was not taken. */
  readonly refused: string
  readonly received: string
  readonly checked: string
  /** Before the message of a page that says what went wrong. */
  readonly error: string
  /** The link takes no file, whyever. */
  readonly wrongLink: { readonly heading: string; readonly lead: string }
  readonly wait: (minutes: number) => string
}

const english: UploadPageWords = {
  language: "en",
  from: (tenant) => `${tenant} asks you for this document.`,
  file: "Your file: a PDF or a picture of at most 25 MB",
  send: "Send",
  once: "This link takes one file.",
  refused:
    "The file was not taken. Choose a PDF without a password, or a picture (JPEG, PNG, WebP, TIFF, HEIC), of at most 25 MB.",
  received: "Your file has arrived. Thank you.",
  checked: "It is being checked for malware. If another one is needed, you will get a letter.",
  error: "Error",
  wrongLink: {
    heading: "This link takes no file",
    lead: "It has been used, has ended, or is not complete. If your file has arrived, there is nothing more to do. Otherwise ask the sender for another link."
  },
  wait: (minutes) => `Too many tries. Wait ${minutes} min and open the link again.`
}

const words: ReadonlyArray<UploadPageWords> = [
  english,
  {
    language: "fr",
    from: (tenant) => `${tenant} vous demande ce document.`,
    file: "Votre fichier\u00a0: un PDF ou une image de 25\u00a0Mo au plus",
    send: "Envoyer",
    once: "Ce lien accepte un seul fichier.",
    refused:
      "Le fichier n’a pas été accepté. Choisissez un PDF sans mot de passe ou une image (JPEG, PNG, WebP, TIFF, HEIC) de 25\u00a0Mo au plus.",
    received: "Votre fichier est arrivé. Merci.",
    checked:
      "Nous vérifions qu’il ne contient rien de dangereux. S’il en faut un autre, vous recevrez un message.",
    error: "Erreur",
    wrongLink: {
      heading: "Ce lien n’accepte pas de fichier",
      lead: "Il a déjà servi, a expiré ou est incomplet. Si votre fichier est arrivé, vous n’avez plus rien à faire. Sinon, demandez un autre lien à l’expéditeur."
    },
    wait: (minutes) => `Trop d’essais. Attendez ${minutes} min, puis ouvrez le lien à nouveau.`
  },
  {
    language: "de",
    from: (tenant) => `${tenant} bittet Sie um dieses Dokument.`,
    file: "Ihre Datei: ein PDF oder ein Bild von höchstens 25 MB",
    send: "Senden",
    once: "Dieser Link nimmt eine einzige Datei an.",
    refused:
      "Die Datei wurde nicht angenommen. Wählen Sie ein PDF ohne Passwort oder ein Bild (JPEG, PNG, WebP, TIFF, HEIC) von höchstens 25 MB.",
    received: "Ihre Datei ist angekommen. Vielen Dank.",
    checked:
      "Sie wird auf Schadsoftware geprüft. Wird eine andere gebraucht, erhalten Sie eine Nachricht.",
    error: "Fehler",
    wrongLink: {
      heading: "Dieser Link nimmt keine Datei an",
      lead: "Er wurde schon benutzt, ist abgelaufen oder unvollständig. Ist Ihre Datei angekommen, müssen Sie nichts mehr tun. Sonst bitten Sie den Absender um einen neuen Link."
    },
    wait: (minutes) =>
      `Zu viele Versuche. Warten Sie ${minutes} Min. und öffnen Sie den Link erneut.`
  },
  {
    language: "it",
    from: (tenant) => `${tenant} Le chiede questo documento.`,
    file: "Il Suo file: un PDF o un’immagine di 25 MB al massimo",
    send: "Inviare",
    once: "Questo link accetta un solo file.",
    refused:
      "Il file non è stato accettato. Scelga un PDF senza password o un’immagine (JPEG, PNG, WebP, TIFF, HEIC) di 25 MB al massimo.",
    received: "Il Suo file è arrivato. Grazie.",
    checked:
      "Verifichiamo che non contenga nulla di pericoloso. Se ne serve un altro, riceverà un messaggio.",
    error: "Errore",
    wrongLink: {
      heading: "Questo link non accetta file",
      lead: "È già stato usato, è scaduto o non è completo. Se il Suo file è arrivato, non deve fare altro. Altrimenti chieda un altro link al mittente."
    },
    wait: (minutes) => `Troppi tentativi. Attenda ${minutes} min e apra di nuovo il link.`
  },
  {
    language: "es",
    from: (tenant) => `${tenant} le pide este documento.`,
    file: "Su archivo: un PDF o una imagen de 25 MB como máximo",
    send: "Enviar",
    once: "Este enlace admite un solo archivo.",
    refused:
      "El archivo no se ha aceptado. Elija un PDF sin contraseña o una imagen (JPEG, PNG, WebP, TIFF, HEIC) de 25 MB como máximo.",
    received: "Su archivo ha llegado. Gracias.",
    checked: "Comprobamos que no contiene nada peligroso. Si hace falta otro, recibirá un mensaje.",
    error: "Error",
    wrongLink: {
      heading: "Este enlace no admite archivos",
      lead: "Ya se ha usado, ha caducado o está incompleto. Si su archivo ha llegado, no tiene que hacer nada más. Si no, pida otro enlace al remitente."
    },
    wait: (minutes) => `Demasiados intentos. Espere ${minutes} min y abra de nuevo el enlace.`
  }
]

/** The words for the first of these locales (BCP 47) whose language there are words in, or English ones. */
export const uploadPageWordsOf = (...locales: ReadonlyArray<string>): UploadPageWords =>
  locales
    .map((locale) => words.find(({ language }) => language === locale.split("-")[0]))
    .find((found) => found !== undefined) ?? english
