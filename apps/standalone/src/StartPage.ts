/** The page at `/` of a sandbox: what this is, how to get in, what to try next. Plain HTML. */
import { createHash } from "node:crypto"
import type { Guide, GuideTenant } from "./SandboxGuide.ts"
import { style } from "./StartPageStyle.ts"

export const html = (guide: Guide): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Quittance sandbox</title>
<style>${style}</style>
</head>
<body>
<header><div>
<h1>Quittance <span class="badge">Sandbox</span></h1>
<p>Quote, sell and bill insurance over one HTTP interface, for many tenants. This one runs on your machine, on a real PostgreSQL; everything in it is made up, and you can break nothing.</p>
</div></header>
<main>
${links}
${next(guide)}
<div class="tenants">
${guide.tenants.map((tenant) => tenantSection(tenant, guide)).join("\n")}
</div>
</main>
<footer>The interface answers at <code>${escape(guide.baseUrl)}</code>; every request but those of this page names its tenant in the header <code>tenant</code>.</footer>
</body>
</html>
`

/** Nothing is loaded and nothing runs but the style above. */
export const headers: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; "),
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer"
}

const links = `<section class="first">
<h2>Look around</h2>
<ul class="links">
<li><a href="/docs"><strong>Reference</strong><span>Every route, with its fields and errors</span></a></li>
<li><a href="/openapi.json"><strong>OpenAPI 3.1</strong><span>The same, for your tools</span></a></li>
<li><a href="/errors"><strong>Error catalogue</strong><span>What can go wrong and what to do then</span></a></li>
<li><a href="/health/ready"><strong>Health</strong><span>Whether the database is there</span></a></li>
</ul>
</section>`

const next = ({ baseUrl, demo, listen, session, tenants, token }: Guide) => `<section>
<h2>Try it</h2>
<ol>
<li><strong>Watch a policy live.</strong> It is quoted, signed, started, invoiced month by month and left unpaid twice, while you read along.
<pre><code>${escape(demo)}</code></pre></li>
<li><strong>Be a visitor.</strong> An anonymous session is all that a front end needs to sell: its token opens, quotes and signs policies of its own.
<pre><code>${escape(session)}</code></pre></li>
<li><strong>See what is sold.</strong> The public configuration of a product is enough to render its forms; each field has an example that is valid.
<pre><code>${escape(`curl -s ${baseUrl}/config/motor-fr -H 'tenant: ${tenants[0]?.id ?? ""}'`)}</code></pre></li>
<li><strong>Sign in.</strong> This signs a manager in through the login page and prints the token.
<pre><code>${escape(token)}</code></pre></li>
<li><strong>Be told.</strong> What happens is sent to your program, signed and in order; with <code>--print</code> instead of <code>--forward …</code> you read along.
<pre><code>${escape(listen)}</code></pre></li>
<li><strong>Be the wrong one.</strong> Send a token of one tenant with the name of another in the header <code>tenant</code>: it is refused, whatever it asks for.</li>
</ol>
</section>`

const tenantSection = (
  { authUrl, clients, id, name, users }: GuideTenant,
  guide: Guide
) => `<section>
<h2>${escape(name)} <code>${escape(id)}</code></h2>
<p class="soft">Authorization server <a href="${escape(authUrl)}/.well-known/oauth-authorization-server">${escape(authUrl)}</a></p>
<h3>People, password <code>${escape(guide.password)}</code></h3>
${table(
  ["E-mail address", "May"],
  users.map(({ email, may }) => [code(email), escape(may)])
)}
<h3>Clients</h3>
${table(
  ["Id and secret", "May"],
  clients.map(({ id, may, secret }) => [`${code(id)}<br>${code(secret)}`, escape(may)])
)}
</section>`

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  `<table><thead><tr>${head.map((text) => `<th scope="col">${escape(text)}</th>`).join("")}</tr></thead>
<tbody>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")}</tbody></table>`

const code = (text: string) => `<code>${escape(text)}</code>`

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => entities[character] ?? character)
