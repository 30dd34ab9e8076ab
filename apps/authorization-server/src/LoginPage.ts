/** The pages that people see: signing in, and why that can't go on. Plain HTML, no JavaScript. */
import { createHash } from "node:crypto"

/** What the login page shows. */
export interface LoginPage {
  readonly tenantName: string
  readonly clientName: string
  /** Whether what is done here concerns no real policy. */
  readonly sandbox: boolean
  /** Sent along with the form: the request that brought the person here, and the CSRF token. */
  readonly hidden: Iterable<readonly [string, string]>
  readonly email: string
  /** Why the last try failed. */
  readonly problem: string | undefined
}

export const login = (page: LoginPage): string =>
  document(
    `Sign in · ${page.tenantName}`,
    `<p class="tenant">${escape(page.tenantName)}${page.sandbox ? ' <span class="badge">Sandbox</span>' : ""}</p>
<h1>Sign in</h1>
<p class="lead">to go on to ${escape(page.clientName)}</p>
${page.problem === undefined ? "" : `<p class="problem" id="problem" role="alert">${escape(page.problem)}</p>`}
<form method="post" action="/oauth2/authorize">
${[...page.hidden].map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`).join("\n")}
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" inputmode="email" spellcheck="false" maxlength="254" required${page.email === "" ? " autofocus" : ""} value="${escape(page.email)}"${describedBy(page)}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required${page.email === "" ? "" : " autofocus"}${describedBy(page)}>
<button type="submit">Sign in</button>
</form>
<p class="note">We never ask for your password anywhere else. Check that the address of this page is one you know.</p>`
  )

/** A page that ends here: the application has to start again. */
export const problem = (tenantName: string, text: string): string =>
  document(
    `Can't sign in · ${tenantName}`,
    `<p class="tenant">${escape(tenantName)}</p>
<h1>This sign-in can't go on</h1>
<p class="problem" role="alert">${escape(text)}</p>
<p class="note">Nothing was changed. Close this page and go back to the application you came from.</p>`
  )

const describedBy = ({ problem }: LoginPage) =>
  problem === undefined ? "" : ' aria-invalid="true" aria-describedby="problem"'

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => entities[character]!)

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5a6675; --paper: #f4f2ee; --card: #fff; --line: #8b95a1; --accent: #0b5d4d; --on-accent: #fff; --alert: #9c1c1c; --alert-paper: #fdeeee }
@media (prefers-color-scheme: dark) { :root { --ink: #edf0f3; --soft: #a9b4c0; --paper: #14181d; --card: #1d232a; --line: #76828f; --accent: #6fd3bd; --on-accent: #06231d; --alert: #ffb4ab; --alert-paper: #3b1d1b } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
main { width: 100%; max-width: 25rem; padding: 2.25rem 2rem 1.75rem; background: var(--card); border-radius: .75rem; border-top: .375rem solid var(--accent); box-shadow: 0 1px 2px #0002, 0 .75rem 2.5rem #0001 }
h1 { margin: .25rem 0 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em }
.tenant { margin: 0; font-weight: 600; color: var(--accent) }
.badge { margin-left: .25rem; padding: .1rem .5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .75rem; font-weight: 500 }
.lead { margin: .25rem 0 1.5rem; color: var(--soft) }
label { display: block; margin: 1rem 0 .35rem; font-weight: 600 }
input { width: 100%; padding: .7rem .8rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: inherit; font: inherit }
button { width: 100%; margin-top: 1.5rem; padding: .8rem; border: 0; border-radius: .4rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer }
button:hover { filter: brightness(1.08) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.problem { margin: 1rem 0; padding: .75rem 1rem; border-left: .25rem solid var(--alert); border-radius: .25rem; background: var(--alert-paper); color: var(--alert) }
.note { margin: 1.5rem 0 0; font-size: .875rem; color: var(--soft) }
`

const styleHash = createHash("sha256").update(style).digest("base64")

/**
 * Nothing is loaded, nothing runs, nobody may frame the page. The form may also lead to the client's
 * address, because browsers hold redirects after a form against `form-action`.
 */
export const headers = (redirectUri: string | undefined): Readonly<Record<string, string>> => ({
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self'${redirectUri === undefined ? "" : ` ${sourceOf(redirectUri)}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; "),
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store"
})

/** As a source in a policy; an address of an app (`com.example.app:/callback`) has no origin. */
const sourceOf = (redirectUri: string) => {
  const { origin, protocol } = new URL(redirectUri)
  return origin === "null" ? protocol : origin
}

const document = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`
