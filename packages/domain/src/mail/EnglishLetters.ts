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
  }),
  PASSWORD_CHANGED: (tenant, instant) => ({
    subject: `Your password for ${tenant} was changed`,
    opening: `The password of your account at ${tenant} was changed on ${instant}. You were signed out on your other devices.`,
    action: "Choose another password",
    closing:
      "If it was you, you need do nothing. If it was not you, choose another password at once."
  }),
  SECOND_FACTOR_CHANGED: (tenant, instant) => ({
    subject: `Your second factor for ${tenant} was changed`,
    opening: `A second factor of your account at ${tenant} was added or removed on ${instant}.`,
    action: "Choose another password",
    closing:
      "If it was you, you need do nothing. If it was not you, choose another password at once, and tell an administrator."
  }),
  WEBHOOK_FAILING: (tenant, webhookId, instant) => ({
    subject: `A webhook of ${tenant} receives nothing`,
    opening: `Nothing has arrived at the webhook ${webhookId} since ${instant}.`,
    closing:
      "Its attempts say why. Each event is tried ten times, over about three days. After five days without a delivery the webhook is disabled."
  }),
  WEBHOOK_DISABLED: (tenant, webhookId, instant) => ({
    subject: `A webhook of ${tenant} was disabled`,
    opening: `The webhook ${webhookId} was disabled on ${instant}: its receiver had answered 410, or had received nothing for five days.`,
    closing: "Correct the receiver, then enable the webhook: it goes on where it stopped."
  }),
  unsubscribe: "You get this because you may manage webhooks. To get no more e-mails about them:"
}
