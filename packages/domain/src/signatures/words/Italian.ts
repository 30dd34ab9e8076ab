/** The page of a signer in Italian. */
import type { SignWords } from "./SignWords.ts"

export const italian: SignWords = {
  language: "it",
  error: "Errore",
  heading: "La Sua firma",
  lead: (tenant, policy) => `${tenant} Le chiede di firmare la polizza ${policy}.`,
  signer: (name) => `Questa pagina è destinata a ${name}.`,
  until: (instant) => `Può firmare fino a: ${instant}.`,
  begin: "Iniziare",
  read: {
    heading: "Leggere i documenti",
    lead: "Apra ciascuno di essi. Firma esattamente questi file."
  },
  open: (title, pages) => `${title} (${pages === 1 ? "1 pagina" : `${pages} pagine`})`,
  isRead: "aperto",
  prove: {
    heading: "Confermare l’indirizzo",
    lead: (email) => `Inviamo un codice di sei cifre a ${email}.`
  },
  sendCode: "Ricevere il codice",
  sendAnother: "Ricevere un altro codice",
  code: "Codice",
  codeHint: "Vale 10 minuti.",
  enter: "Confermare il codice",
  sign: {
    heading: "Accettare e firmare",
    lead: "Firma con una firma elettronica semplice (regolamento (UE) n. 910/2014)."
  },
  name: "Il Suo nome e cognome",
  nameHint: (name) => `Li scriva come nel contratto: ${name}`,
  signNow: "Firmare",
  decline: {
    heading: "Non desidero firmare",
    lead: "La firma termina per tutti i firmatari."
  },
  reason: "Il Suo motivo",
  declineNow: "Rifiutare di firmare",
  notYet: {
    heading: "Non è ancora il Suo turno",
    lead: "Altri firmano prima di Lei. Le scriveremo quando sarà il Suo turno."
  },
  signed: {
    heading: "Ha firmato",
    lead: "Altri firmano dopo di Lei. Non deve fare altro."
  },
  ended: {
    SEALING: {
      heading: "È firmato",
      lead: "Tutti i firmatari hanno firmato. Può chiudere questa pagina."
    },
    COMPLETED: {
      heading: "È firmato",
      lead: "Tutti i firmatari hanno firmato. Può chiudere questa pagina."
    },
    DECLINED: {
      heading: "La firma è stata rifiutata",
      lead: "Un firmatario ha rifiutato. Nulla è stato firmato."
    },
    EXPIRED: {
      heading: "È troppo tardi per firmare",
      lead: "Il termine è scaduto. Nulla è stato firmato. Chieda un’altra firma."
    },
    CANCELLED: {
      heading: "La richiesta è stata ritirata",
      lead: "Nulla è stato firmato e non deve fare nulla."
    },
    VOID: {
      heading: "Il contratto è cambiato",
      lead: "Perciò nulla è stato firmato. Riceverà un altro messaggio se Le sarà chiesto di nuovo."
    }
  },
  wrongLink: {
    heading: "Questo link non funziona",
    lead: "Apra il link del messaggio più recente, o ne chieda un altro al mittente."
  },
  problems: {
    wait: (minutes) => `Ci sono stati troppi tentativi. Riprovi tra ${minutes} min.`,
    code: (triesLeft) => `Il codice è un altro. Tentativi rimasti: ${triesLeft}.`,
    codeForm: "Un codice ha sei cifre.",
    locked: "Questo codice non vale più. Ne richieda un altro.",
    name: "Scriva nome e cognome come figurano sotto il campo.",
    unread: "Apra prima ogni documento.",
    consents: "Accetti ogni testo per firmare.",
    reason: "Indichi un motivo.",
    moved: "Nel frattempo qualcosa è cambiato. Rilegga questa pagina."
  }
}
