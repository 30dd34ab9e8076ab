/** The page of a signer in English. */
import type { SignWords } from "./SignWords.ts"

export const english: SignWords = {
  language: "en",
  error: "Error",
  heading: "Your signature",
  lead: (tenant, policy) => `${tenant} asks you to sign policy ${policy}.`,
  signer: (name) => `This page is for ${name}.`,
  until: (instant) => `You may sign until ${instant}.`,
  begin: "Begin",
  read: {
    heading: "Read the documents",
    lead: "Open each of them. You sign exactly these files."
  },
  open: (title, pages) => `${title} (${pages === 1 ? "1 page" : `${pages} pages`})`,
  isRead: "opened",
  prove: {
    heading: "Prove your address",
    lead: (email) => `We send a code of six digits to ${email}.`
  },
  sendCode: "Send me the code",
  sendAnother: "Send me another code",
  code: "Code",
  codeHint: "It holds for 10 minutes.",
  enter: "Confirm the code",
  sign: {
    heading: "Agree and sign",
    lead: "You sign by a simple electronic signature (Regulation (EU) 910/2014)."
  },
  name: "Your first name and last name",
  nameHint: (name) => `Type it as it stands in the contract: ${name}`,
  signNow: "Sign",
  decline: {
    heading: "I do not want to sign",
    lead: "This ends the signature for everyone who signs."
  },
  reason: "Your reason",
  declineNow: "Refuse to sign",
  notYet: {
    heading: "It is not your turn yet",
    lead: "Others sign before you. We write to you when it is your turn."
  },
  signed: {
    heading: "You have signed",
    lead: "Others sign after you. There is nothing else for you to do."
  },
  ended: {
    SEALING: { heading: "It is signed", lead: "Everyone has signed. You may close this page." },
    COMPLETED: { heading: "It is signed", lead: "Everyone has signed. You may close this page." },
    DECLINED: { heading: "It was refused", lead: "A signer has refused. Nothing was signed." },
    EXPIRED: {
      heading: "It is too late to sign",
      lead: "The time to sign is over. Nothing was signed. Ask for another signature."
    },
    CANCELLED: {
      heading: "The request was withdrawn",
      lead: "Nothing was signed, and there is nothing for you to do."
    },
    VOID: {
      heading: "The contract has changed",
      lead: "So nothing was signed. You get another e-mail where you are asked again."
    }
  },
  wrongLink: {
    heading: "This link does not work",
    lead: "Open the link of the newest e-mail, or ask the sender for another one."
  },
  problems: {
    wait: (minutes) => `There were too many tries. Try again in ${minutes} min.`,
    code: (triesLeft) => `The code is another one. Tries left: ${triesLeft}.`,
    codeForm: "A code has six digits.",
    locked: "This code holds no longer. Have another one sent.",
    name: "Type your first name and last name as they stand below the field.",
    unread: "Open each document first.",
    consents: "Accept each text to sign.",
    reason: "Give a reason.",
    moved: "Something has changed meanwhile. Look at this page again."
  }
}
