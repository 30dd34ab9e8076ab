/** The pages of a sign-in between the password and the client, and of one's own factors. */
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import { escape } from "@quittance/http/HtmlPage"
import type { Said, SignInView } from "@quittance/operations/authorization-server/SignInSteps"
import { renderSVG } from "uqr"
import * as Page from "@quittance/http/HostedPage"
import { passkeyScript } from "./PasskeyScript.ts"

export const answerPath = "/second-factor"
export const accountPath = "/account/security"

export interface SecondFactorPage {
  readonly tenant: Tenant
  readonly view: SignInView
  readonly said: Said
  /** Sent along with every form: the secret of the sign-in, and the CSRF token. */
  readonly hidden: ReadonlyArray<readonly [string, string]>
}

export const secondFactor = (page: SecondFactorPage): Page.Page => {
  const { said, tenant, view } = page
  return {
    tenant,
    ...wording[said.codes === undefined ? view.stage : "DONE"],
    problem: said.problem,
    content: contents(page),
    script: passkeyScript
  }
}

const wording = {
  PROVE: { heading: "One more step", lead: "Show with something you have that it is you." },
  ENROL: {
    heading: "Set up a second factor",
    lead: "Your work here moves money or rights, so a password alone is not enough."
  },
  DONE: {
    heading: "Keep these recovery codes",
    lead: "Each stands in for your second factor once. Print them, or keep them with your passwords."
  },
  MANAGE: { heading: "Your second factors", lead: "What you sign in with besides your password." }
} as const

const contents = (page: SecondFactorPage): string => {
  const { said, view } = page
  if (said.codes !== undefined) return codes(page, said.codes)
  switch (view.stage) {
    case "PROVE":
      return prove(page)
    case "ENROL":
      return add(page)
    case "DONE":
      return goOn(page)
    case "MANAGE":
      return manage(page)
  }
}

const form = (
  { hidden }: SecondFactorPage,
  fields: ReadonlyArray<string>,
  button: string,
  value: string,
  more: ReadonlyArray<readonly [string, string]> = []
) => Page.form({ action: answerPath, hidden: [...hidden, ...more], fields, button, value })

const goOn = (page: SecondFactorPage) => form(page, [], "Go on", "go-on")

const codes = (page: SecondFactorPage, codes: ReadonlyArray<string>) =>
  `<ul class="codes">${codes.map((code) => `<li><code>${escape(code)}</code></li>`).join("")}</ul>
<p class="note">They are shown this once. If you lose both phone and codes, ask an administrator.</p>
${page.view.stage === "DONE" ? goOn(page) : form(page, [], "I have kept them", "show")}`

const passkey = (page: SecondFactorPage, kind: "get" | "create", button: string, name: string) =>
  Page.form({
    action: answerPath,
    hidden: [...page.hidden, ["credential", ""]],
    fields: [name, '<p class="hint" role="status"></p>'],
    button,
    value: kind === "get" ? "passkey" : "add-passkey",
    data: { passkey: kind, options: JSON.stringify(page.view.passkey) }
  })

const codeField = (id: string, label: string, attributes: Page.Field["attributes"]) =>
  Page.field({
    name: "text",
    id,
    label,
    attributes: { type: "text", autocomplete: "one-time-code", required: true, ...attributes }
  })

const sixDigits = { inputmode: "numeric", maxlength: 7 } as const

const prove = (page: SecondFactorPage): string => {
  const has = (kind: "PASSKEY" | "TOTP") => page.view.factors.some((factor) => factor.kind === kind)
  const app = codeField("code", "Code of your authenticator app", { ...sixDigits, autofocus: true })
  const paper = codeField("recovery", "Recovery code", { autocomplete: "off", maxlength: 40 })
  return [
    ...(has("PASSKEY") ? [passkey(page, "get", "Use a passkey", "")] : []),
    ...(has("TOTP") ? [form(page, [app], "Go on", "totp")] : []),
    `<details><summary>Use a recovery code</summary>${form(page, [paper], "Use this code", "recovery")}</details>`,
    `<p class="note">If you have lost your phone and your recovery codes, ask an administrator to reset your second factor.</p>`
  ].join("\n")
}

const name = (id: string, value: string) =>
  Page.field({
    name: "name",
    id,
    label: "What you call it",
    attributes: { type: "text", maxlength: 100, required: true, value }
  })

const add = (page: SecondFactorPage): string => {
  const { app } = page.view
  const code = codeField("code", "The six digits that it shows", sixDigits)
  return [
    "<h2>A passkey</h2>",
    passkey(page, "create", "Add a passkey", name("passkey-name", "Passkey")),
    ...(app === undefined
      ? []
      : [
          "<h2>An authenticator app</h2>",
          `<div class="qr">${renderSVG(app.uri, { border: 2 })}</div>`,
          `<p class="hint">Scan it with the app, or type this in: <code>${escape(app.secret)}</code></p>`,
          form(page, [name("app-name", "Authenticator app"), code], "Add the app", "add-totp")
        ])
  ].join("\n")
}

const manage = (page: SecondFactorPage): string => {
  const { codesLeft, factors } = page.view
  const rows = factors.map(({ createdAt, id, kind, name }) => {
    const what = kind === "PASSKEY" ? "passkey" : "authenticator app"
    const remove = form(page, [], "Remove it", "remove", [["factor", id]])
    return `<li>${escape(name)} (${what}, since ${createdAt.slice(0, 10)})${remove}</li>`
  })
  return [
    factors.length === 0 ? "<p>You have none yet.</p>" : `<ul>${rows.join("")}</ul>`,
    ...(factors.length === 0
      ? []
      : [
          `<p>${codesLeft} recovery codes are left.</p>`,
          form(page, [], "Make new recovery codes", "new-codes")
        ]),
    add(page)
  ].join("\n")
}

/** The page on which users manage their own factors. */
export const signIn = (
  tenant: Tenant,
  hidden: SecondFactorPage["hidden"],
  problem: string | undefined
): Page.Page => ({
  tenant,
  heading: "Your second factors",
  lead: "Sign in to add or remove one.",
  problem,
  content: Page.form({
    action: accountPath,
    hidden,
    fields: [
      Page.field({
        name: "email",
        label: "E-mail address",
        attributes: { type: "email", autocomplete: "username", maxlength: 254, required: true },
        isWrong: problem !== undefined
      }),
      Page.field({
        name: "password",
        label: "Password",
        attributes: {
          type: "password",
          autocomplete: "current-password",
          maxlength: 1024,
          required: true
        },
        isWrong: problem !== undefined
      })
    ],
    button: "Sign in"
  })
})
