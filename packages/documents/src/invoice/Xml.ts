/** Writes XML: elements in order, text and attributes escaped, nothing that XML 1.0 does not allow. */

/** An element that is written already. */
export interface Element {
  readonly xml: string
}

type Attributes = Readonly<Record<string, string>>

/** What may be left out is `undefined`. */
export type Content = string | ReadonlyArray<Element | undefined>

// Controls that XML 1.0 has no way to write, lone surrogates and the two non-characters of its plane.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;"
}

const escaped = (text: string): string =>
  text.replaceAll(forbidden, "").replaceAll(/[&<>"\r]/gu, (character) => entities[character]!)

export const element = (name: string, content: Content, attributes: Attributes = {}): Element => {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join("")
  const inner =
    typeof content === "string"
      ? escaped(content)
      : content.map((child) => child?.xml ?? "").join("")
  return { xml: `<${name}${written}>${inner}</${name}>` }
}

export const xmlDocument = ({ xml }: Element): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`
