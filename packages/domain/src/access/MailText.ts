/** What the letters say, as plain text and as simple HTML. */
import type { LinkPurpose } from "./Invitation.ts"
import { type Instant, toEpochMillis } from "../values/Instant.ts"
import type { Tenant } from "../tenants/Tenant.ts"

export interface LetterContent {
  readonly purpose: LinkPurpose
  readonly tenant: Tenant
  readonly firstName: string | undefined
  readonly inviter: string | undefined
  readonly link: string
  readonly expiresAt: Instant
}

export interface MailText {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export const write = (content: LetterContent): MailText => {
  const { expiresAt, firstName, link, tenant } = content
  const { action, opening, subject, unexpected } = wording(content)
  const name = readable(firstName)
  const greeting = name === undefined ? "Hello," : `Hello ${name},`
  const until = `The link works once, until ${instant(expiresAt, tenant)}. It is for you alone: don't pass this e-mail on.`
  const sandbox =
    tenant.environment === "production"
      ? []
      : ["This comes from a sandbox: nothing that is done there concerns a real policy."]
  const after = [until, unexpected, ...sandbox]
  const text = [greeting, opening, `${action}:\n${link}`, ...after, `${tenant.name}\n`].join("\n\n")
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escape(subject)}</title>
</head>
<body style="margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif; color: #1c2430">
<p>${escape(greeting)}</p>
<p>${escape(opening)}</p>
<p><a href="${escape(link)}" style="display: inline-block; padding: 12px 20px; border-radius: 6px; background: #0b5d4d; color: #ffffff; font-weight: 600">${escape(action)}</a></p>
<p>Or copy this address into your browser:<br>${escape(link)}</p>
${after.map((paragraph) => `<p>${escape(paragraph)}</p>`).join("\n")}
<p>${escape(tenant.name)}</p>
</body>
</html>
`
  return { subject, text, html }
}

const wording = ({ inviter, purpose, tenant: { name } }: LetterContent) => {
  const who = readable(inviter)
  switch (purpose) {
    case "INVITATION":
      return {
        subject: `Your invitation to ${name}`,
        opening: who === undefined ? `${name} invites you.` : `${who} invites you to ${name}.`,
        action: "Accept the invitation",
        unexpected:
          "If you expected no invitation, you need do nothing: without the link it has no effect."
      }
    case "WELCOME":
      return {
        subject: `Your account at ${name}`,
        opening:
          who === undefined
            ? `An account was made for you at ${name}. Choose a password to use it.`
            : `${who} made an account for you at ${name}. Choose a password to use it.`,
        action: "Choose a password",
        unexpected: "If you expected no account, you need do nothing: nobody can use it."
      }
    case "PASSWORD_RESET":
      return {
        subject: `A new password for ${name}`,
        opening: `Somebody, probably you, asked for a new password for your account at ${name}.`,
        action: "Choose a new password",
        unexpected:
          "If it wasn't you, you need do nothing: your password stays as it is. A new one signs you out everywhere."
      }
  }
}

/**
 * A name that somebody typed, if it can be nothing but a name. Mail programs make links of what looks
 * like an address, and whoever invites could have us send their advertisement.
 */
const readable = (name: string | undefined): string | undefined =>
  name !== undefined && /^[\p{L}\p{M}][\p{L}\p{M} '’-]{0,79}$/u.test(name) ? name : undefined

/** In the tenant's time zone, which it names. */
const instant = (at: Instant, { timeZone }: Tenant): string => {
  const format = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "full",
    timeStyle: "short",
    timeZone
  })
  return `${format.format(toEpochMillis(at))} (${timeZone})`
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;"
}

const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/gu, (character) => entities[character]!)
