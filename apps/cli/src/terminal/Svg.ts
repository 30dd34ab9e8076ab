/** The parts of a picture as text. */

/** Text and attributes as XML takes them: marks escaped, characters that it does not know left out. */
export const escape = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

export type Attributes = Readonly<Record<string, string | number>>

const attributesOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(
      ([name, value]) => ` ${name}="${escape(typeof value === "number" ? places(value) : value)}"`
    )
    .join("")

/** Two decimals at most: no picture needs more, and every machine writes them alike. */
const places = (value: number): string => String(Math.round(value * 100) / 100)

/** An element with its children, which are escaped already. */
export const element = (name: string, attributes: Attributes, ...children: ReadonlyArray<string>) =>
  children.length === 0
    ? `<${name}${attributesOf(attributes)}/>`
    : `<${name}${attributesOf(attributes)}>${children.join("")}</${name}>`

export const text = (attributes: Attributes, content: string): string =>
  element("text", attributes, escape(content))
