/** Letters in English. */
import type { Wording } from "./MailWording.ts"

export const english: Wording = {
  language: "en",
  formats: "en-GB",
  greeting: (firstName) => (firstName === undefined ? "Hello," : `Hello ${firstName},`),
  linkUntil: (instant) =>
    `The link works once, until ${instant}. It is for you alone: do not pass this e-mail on.`,
  copyLink: "If the button does not work, copy this address into your browser:",
  sandbox: "This comes from a sandbox: nothing that is done there concerns a real policy.",
  INVITATION: (tenant, inviter) => ({
    subject: `Your invitation to ${tenant}`,
    opening:
      inviter === undefined ? `${tenant} invites you.` : `${inviter} invites you to ${tenant}.`,
    action: "Accept the invitation",
    closing:
      "If you expected no invitation, you need do nothing: without the link it has no effect."
  }),
  WELCOME: (tenant, inviter) => ({
    subject: `Your account at ${tenant}`,
    opening: `${
      inviter === undefined
        ? `An account was made for you at ${tenant}.`
        : `${inviter} made an account for you at ${tenant}.`
    } Choose a password to use it.`,
    action: "Choose a password",
    closing: "If you expected no account, you need do nothing: without a password it has no use."
  }),
  PASSWORD_RESET: (tenant) => ({
    subject: `A new password for ${tenant}`,
    opening: `A new password was asked for, probably by you, for your account at ${tenant}.`,
    action: "Choose a new password",
    closing:
      "If it was not you, you need do nothing: your password stays as it is. A new one signs you out everywhere."
  })
}
