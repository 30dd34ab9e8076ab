/** What a document carries inside: the data that it was made of, and by what it was made. */
import { inflateSync } from "node:zlib"

export const dataName = "data.json"

export interface CarriedData {
  /** The JSON text of the document's model. */
  readonly data: string
  /** `layout/3 typst/0.7.0 icu/78.1`. */
  readonly renderer: string
}

const about = "document-model, made by "

/** What the file says of its data: whose shape it has, and which renderer makes the same file of it. */
export const descriptionOf = (renderer: string): string => about + renderer

/** More than any document's data; what unpacks to more is none of ours. */
const largest = 64 * 1024 * 1024

/** `undefined` where the file carries no such data in the form that the typesetter writes. */
export const carriedData = (pdf: Uint8Array): CarriedData | undefined => {
  // One byte is one character, so places in the text are those in the file.
  const text = Buffer.from(pdf).toString("latin1")
  const file =
    /\/Type \/Filespec\n {2}\/F \(data\.json\)\n[\s\S]{0,200}?\/EF <<\n {4}\/F (?<content>\d+) 0 R[\s\S]{0,200}?\/Desc \(document-model, made by (?<renderer>[^()\\]*)\)/u.exec(
      text
    )
  if (file === null) return undefined
  const { content, renderer } = file.groups!
  const head = `\n${content} 0 obj\n`
  const object =
    /^<<\n {2}\/Length (?<length>\d+)\n {2}\/Type \/EmbeddedFile\n {2}\/Filter \/FlateDecode\n[\s\S]{0,300}?>>\nstream\n/u.exec(
      text.slice(text.indexOf(head) + head.length)
    )
  if (object === null) return undefined
  const start = text.indexOf(head) + head.length + object[0].length
  const packed = pdf.subarray(start, start + Number(object.groups!["length"]))
  try {
    const data = inflateSync(packed, { maxOutputLength: largest }).toString("utf8")
    return { data, renderer: renderer! }
  } catch {
    return undefined
  }
}
