/** The error catalogue as a page for people. */
import type { CatalogueEntry } from "@quittance/contract/api/ErrorCatalogue"
import { escape } from "@quittance/http/HtmlPage"

export const html = (errors: ReadonlyArray<CatalogueEntry>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Errors · Quittance</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Errors</h1>
<p>Every failure is answered as <code>{ code, message, details }</code>. The code is what a program
goes by, the message says what to do next, the details are named below. The same as JSON:
<code>curl …/errors</code>. The routes that answer them: <a href="/docs">reference</a>.</p>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">When</th></tr></thead>
<tbody>
${errors.map(row).join("\n")}
</tbody>
</table>
</main>
</body>
</html>
`

const row = ({ code, example, status, when }: CatalogueEntry): string =>
  `<tr id="${escape(code)}">
<th scope="row"><a href="#${escape(code)}"><code>${escape(code)}</code></a></th>
<td>${status}</td>
<td><p>${marked(when)}</p>
<details><summary>Example</summary><pre>${escape(JSON.stringify(example, undefined, 2))}</pre></details></td>
</tr>`

/** Escaped, with what stands between backticks as code. */
const marked = (text: string): string => escape(text).replaceAll(/`([^`]+)`/gu, "<code>$1</code>")

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5a6675; --paper: #f4f2ee; --card: #fff; --line: #d9dde2; --accent: #0b5d4d }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --soft: #a3adb8; --paper: #14181d; --card: #1c2229; --line: #313a44; --accent: #6fd0b8 } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { margin: 0 0 .5rem; font-size: 1.75rem }
a { color: var(--accent) }
code, pre { font: .875em/1.5 ui-monospace, monospace }
table { width: 100%; margin-top: 1.5rem; border-collapse: collapse; background: var(--card); border: 1px solid var(--line) }
th, td { padding: .75rem 1rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
thead th { color: var(--soft); font-weight: 600 }
td p { margin: 0 }
tr:target { outline: 2px solid var(--accent); outline-offset: -2px }
details { margin-top: .5rem; color: var(--soft) }
pre { margin: .5rem 0 0; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere }
@media (max-width: 40rem) { table, tbody, tr, th, td { display: block } thead { display: none } th, td { border: 0; padding: .25rem 1rem } tr { padding: .75rem 0; border-bottom: 1px solid var(--line) } }
`
