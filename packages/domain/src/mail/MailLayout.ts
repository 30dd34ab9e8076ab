/**
 * How letters look: one column, light or dark as the reader has it, down to 320 pixels. Tables and styles
 * on elements, because mail programs know little else; nothing is loaded, so nothing tells that it was read.
 */

export interface Letter {
  /** ISO 639-1. */
  readonly language: string
  readonly subject: string
  /** Paragraphs before the link. */
  readonly before: ReadonlyArray<string>
  readonly button?: {
    /** What the link does. */
    readonly action: string
    readonly link: string
    /** Introduces the link once more, for readers whose program shows no buttons. */
    readonly copyLink: string
  }
  /** Paragraphs after the link. */
  readonly after: ReadonlyArray<string>
  readonly signature: string
  /** How to get no more letters of the kind. */
  readonly unsubscribe?: { readonly words: string; readonly link: string }
}

export const text = ({ after, before, button, signature, unsubscribe }: Letter): string =>
  [
    ...before,
    ...(button === undefined ? [] : [`${button.action}:\n${button.link}`]),
    ...after,
    ...(unsubscribe === undefined
      ? [`${signature}\n`]
      : [signature, `${unsubscribe.words}\n${unsubscribe.link}\n`])
  ].join("\n\n")

/** All that is not markup is escaped here: texts come as they are. */
export const html = (letter: Letter): string => `<!doctype html>
<html lang="${escape(letter.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escape(letter.subject)}</title>
<style>
:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
.page { background: #12161c !important }
.card { background: #1c222b !important; color: #e6eaf0 !important }
.quiet { color: #a7b1bf !important }
.quiet a { color: #7ad3bd !important }
}
</style>
</head>
<body class="page" style="margin: 0; padding: 0; background: #f2f4f6">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background: #f2f4f6">
<tr><td align="center" style="padding: 24px 12px">
<table class="card" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width: 560px; border-radius: 8px; background: #ffffff; color: #1c2430; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; text-align: left">
<tr><td style="padding: 24px; overflow-wrap: anywhere">
${letter.before.map(paragraph).join("\n")}
${letter.button === undefined ? "" : button(letter.button)}
${letter.after.map(paragraph).join("\n")}
<p style="margin: 0 0 16px">${escape(letter.signature)}</p>
${letter.button === undefined ? "" : quiet(letter.button.copyLink, letter.button.link)}
${letter.unsubscribe === undefined ? "" : quiet(letter.unsubscribe.words, letter.unsubscribe.link)}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`

const button = ({ action, link }: NonNullable<Letter["button"]>): string =>
  `<p style="margin: 24px 0"><a href="${escape(link)}" style="display: inline-block; padding: 12px 20px; border-radius: 6px; background: #0b6b58; color: #ffffff; font-weight: 600; text-decoration: none">${escape(action)}</a></p>`

const quiet = (words: string, link: string): string =>
  `<p class="quiet" style="margin: 24px 0 0; color: #5b6675; font-size: 13px">${escape(words)}<br><a href="${escape(link)}" style="color: #0b6b58; word-break: break-all">${escape(link)}</a></p>`

const paragraph = (text: string): string => `<p style="margin: 0 0 16px">${escape(text)}</p>`

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => entities[character]!)
