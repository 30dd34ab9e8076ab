/** Elements of XML as text. What they hold is written by {@link escaped} alone. */

/** A text as it may stand within an element or an attribute. */
export const escaped = (text: string): string =>
  special.test(text)
    ? text
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;")
    : text

const special = /[&<>"]/u

/** `<name>text</name>`; nothing where there is no text. */
export const leaf = (name: string, text: string | undefined): string =>
  text === undefined ? "" : `<${name}>${escaped(text)}</${name}>`

/** An element around others, which are written already; nothing where there are none. */
export const branch = (name: string, ...inner: ReadonlyArray<string>): string => {
  const text = inner.join("")
  return text === "" ? "" : `<${name}>${text}</${name}>`
}

export const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** The first tag of a document of ISO 20022. */
export const documentTag = (message: string): string =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">`
