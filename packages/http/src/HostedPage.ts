/** What the pages for people have in common. Plain HTML: nothing is loaded, and nothing runs but a script of our own. */
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import { escape } from "./HtmlPage.ts"
import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"

export interface Page {
  /** Absent where no one can tell whose page it is. */
  readonly tenant: Tenant | undefined
  /** English unless it is said. */
  readonly language?: { readonly code: string; readonly error: string }
  /** Whether it has more to read than a form. */
  readonly isWide?: boolean
  readonly heading: string
  /** What the browser calls the page; its heading unless it is said. */
  readonly title?: string
  readonly lead?: string
  /** Why the last try failed. */
  readonly problem?: string | undefined
  /** HTML. */
  readonly content: string
  /** Runs at the end of the page; none, unless it is said. */
  readonly script?: string
}

export const html = (page: Page): string => {
  const { content, heading, isWide = false, lead, problem, script, tenant, title = heading } = page
  const { language = { code: "en", error: "Error" } } = page
  return document(
    {
      // Read out first by a screen reader, to tell the page from the one before.
      title: `${problem === undefined ? "" : `${language.error}: `}${title}${tenant === undefined ? "" : ` · ${tenant.name}`}`,
      language: language.code,
      isWide
    },
    [
      ...(tenant === undefined
        ? []
        : [`<p class="tenant">${escape(tenant.name)}${badge(tenant)}</p>`]),
      `<h1>${escape(heading)}</h1>`,
      ...(lead === undefined ? [] : [`<p class="lead">${escape(lead)}</p>`]),
      ...(problem === undefined
        ? []
        : [`<p class="problem" id="problem" role="alert">${escape(problem)}</p>`]),
      content,
      ...(script === undefined ? [] : [`<script>${script}</script>`])
    ].join("\n")
  )
}

const badge = ({ environment }: Tenant) =>
  environment === "production" ? "" : ' <span class="badge">Sandbox</span>'

export interface Form {
  readonly action: string
  /** Sent along: what brought the person here, and the value that only this browser has. */
  readonly hidden: Iterable<readonly [string, string]>
  /** HTML. */
  readonly fields: ReadonlyArray<string>
  readonly button: string
  /** What the button sends as `do`, where a page has several forms. */
  readonly value?: string
  /** For the script of the page. */
  readonly data?: Readonly<Record<string, string>>
  /** Whether it is none that most people use. */
  readonly isQuiet?: boolean
  /** Whether it sends a file. */
  readonly hasFile?: boolean
}

export const form = ({
  action,
  button,
  data = {},
  fields,
  hasFile = false,
  hidden,
  isQuiet = false,
  value
}: Form): string =>
  [
    `<form method="post" action="${escape(action)}"${hasFile ? ' enctype="multipart/form-data"' : ""}${attributes(
      Object.fromEntries(Object.entries(data).map(([name, value]) => [`data-${name}`, value]))
    )}>`,
    ...[...hidden].map(([name, value]) => `<input${attributes({ type: "hidden", name, value })}>`),
    ...fields,
    `<button${attributes({ type: "submit", class: isQuiet ? "quiet" : false, ...(value === undefined ? {} : { name: "do", value }) })}>${escape(button)}</button>`,
    "</form>"
  ].join("\n")

export interface Field {
  readonly name: string
  /** Of a page that has several fields of this name; its name unless it is said. */
  readonly id?: string
  readonly label: string
  /** `true` stands for an attribute without a value, `false` for none. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** Read out with the field. */
  readonly hint?: string
  /** Whether the page's problem is about this field. */
  readonly isWrong?: boolean
}

export const field = ({
  hint,
  isWrong = false,
  label,
  name,
  id = name,
  ...field
}: Field): string => {
  const described = [...(isWrong ? ["problem"] : []), ...(hint === undefined ? [] : [`${id}-hint`])]
  const all = {
    id,
    name,
    ...field.attributes,
    "aria-invalid": isWrong ? "true" : false,
    "aria-describedby": described.length === 0 ? false : described.join(" ")
  }
  return [
    `<label for="${id}">${escape(label)}</label>`,
    `<input${attributes(all)}>`,
    ...(hint === undefined ? [] : [`<p class="hint" id="${id}-hint">${escape(hint)}</p>`])
  ].join("\n")
}

/** A box that is ticked; the label may be long. */
export const check = ({ label, name, value }: Check): string =>
  `<p class="check"><input${attributes({ type: "checkbox", id: name, name, value, required: true })}><label for="${escape(name)}">${escape(label)}</label></p>`

export interface Check {
  readonly name: string
  readonly value: string
  readonly label: string
}

const attributes = (values: Field["attributes"]): string =>
  Object.entries(values)
    .filter(([, value]) => value !== false)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escape(`${value}`)}"`))
    .join("")

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5a6675; --paper: #f4f2ee; --card: #fff; --line: #8b95a1; --accent: #0b5d4d; --on-accent: #fff; --alert: #9c1c1c; --alert-paper: #fdeeee }
@media (prefers-color-scheme: dark) { :root { --ink: #edf0f3; --soft: #a9b4c0; --paper: #14181d; --card: #1d232a; --line: #76828f; --accent: #6fd3bd; --on-accent: #06231d; --alert: #ffb4ab; --alert-paper: #3b1d1b } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
main { width: 100%; max-width: 25rem; padding: 2.25rem 2rem 1.75rem; background: var(--card); border-radius: .75rem; border-top: .375rem solid var(--accent); box-shadow: 0 1px 2px #0002, 0 .75rem 2.5rem #0001 }
main.wide { max-width: 36rem }
h1 { margin: .25rem 0 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em }
.tenant, h1, .lead, .problem { overflow-wrap: anywhere }
.tenant { margin: 0; font-weight: 600; color: var(--accent) }
.badge { margin-left: .25rem; padding: .1rem .5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .75rem; font-weight: 500 }
.lead { margin: .25rem 0 1.5rem; color: var(--soft) }
label { display: block; margin: 1rem 0 .35rem; font-weight: 600 }
input { width: 100%; padding: .7rem .8rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: inherit; font: inherit }
input[readonly] { border-color: transparent; background: var(--paper) }
button { width: 100%; margin-top: 1.5rem; padding: .8rem; border: 0; border-radius: .4rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
a.button { display: block; padding: .8rem; border: 1px solid var(--line); border-radius: .4rem; text-align: center; text-decoration: none; font-weight: 600 }
button.quiet { margin-top: .75rem; border: 1px solid var(--line); background: var(--card); color: var(--ink) }
section p { margin: .35rem 0 0 }
blockquote { margin: 1rem 0; padding: 0 0 0 1rem; border-left: .25rem solid var(--line); overflow-wrap: anywhere; white-space: pre-line }
.check { display: flex; gap: .75rem; align-items: flex-start; margin: 1rem 0 }
.check input { flex: none; width: 1.5rem; height: 1.5rem; margin: 0; accent-color: var(--accent) }
.check label { margin: 0; font-weight: 400; overflow-wrap: anywhere; white-space: pre-line }
details { margin-top: 2rem }
summary { padding: .5rem 0; font-weight: 600; cursor: pointer }
@media (max-width: 24rem) { body { padding: .75rem } main { padding: 1.75rem 1.25rem 1.5rem } }
button:hover { filter: brightness(1.08) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.problem { margin: 1rem 0; padding: .75rem 1rem; border-left: .25rem solid var(--alert); border-radius: .25rem; background: var(--alert-paper); color: var(--alert) }
a { color: var(--accent); text-underline-offset: .15em }
.hint { margin: .35rem 0 0; font-size: .875rem; color: var(--soft) }
h2 { margin: 2rem 0 0; font-size: 1.15rem }
.codes { padding: 0; list-style: none; columns: 2 }
code { overflow-wrap: anywhere; font-size: .95rem }
.qr svg { display: block; width: 12rem; margin: 1rem auto; background: #fff }
.note { margin: 1.5rem 0 0; font-size: .875rem; color: var(--soft) }
`

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64")

const styleHash = sha256(style)

export interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Where the form may lead besides this host: browsers hold redirects after it against the policy. */
  readonly redirectUri?: string
}

/** The page as an answer: nothing is loaded, nothing runs, and it may be neither framed nor cached. */
export const answer = (page: Page, { headers, redirectUri, status = 200 }: AnswerOptions = {}) =>
  HttpServerResponse.text(html(page), { contentType: "text/html; charset=utf-8", status }).pipe(
    HttpServerResponse.setHeaders({
      "content-security-policy": [
        "default-src 'none'",
        ...(page.script === undefined ? [] : [`script-src 'sha256-${sha256(page.script)}'`]),
        `style-src 'sha256-${styleHash}'`,
        `form-action 'self'${redirectUri === undefined ? "" : ` ${sourceOf(redirectUri)}`}`,
        "frame-ancestors 'none'",
        "base-uri 'none'"
      ].join("; "),
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      ...headers
    })
  )

/** As a source in a policy; an address of an app (`com.example.app:/callback`) has no origin. */
const sourceOf = (redirectUri: string) => {
  const { origin, protocol } = new URL(redirectUri)
  return origin === "null" ? protocol : origin
}

interface Shell {
  readonly title: string
  readonly language: string
  readonly isWide: boolean
}

const document = ({ isWide, language, title }: Shell, content: string): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<main${isWide ? ' class="wide"' : ""}>
${content}
</main>
</body>
</html>
`
