/** Files that are PDFs, or pretend to be. */
import { deflateSync } from "node:zlib"

/** A stream with its dictionary. */
export const stream = (dictionary: string, data: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from("\nendstream")
  ])

/** A stream of objects that are packed, as PDF 1.5 has them. */
export const packed = (objects: string, more = ""): Buffer =>
  stream(`/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode ${more}`, deflateSync(`9 0 ${objects}`))

const pageOf = (more: string) => `<< /Type /Page /Parent 2 0 R ${more} >>`

export interface Wanted {
  readonly pages?: number
  /** In the first page. */
  readonly page?: string
  /** Further objects. */
  readonly objects?: ReadonlyArray<string | Buffer>
  readonly trailer?: string
}

export const pdf = ({ objects = [], page = "", pages = 1, trailer = "" }: Wanted = {}): Buffer => {
  const all = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages} >>`,
    ...Array.from({ length: pages }, (_, index) => pageOf(index === 0 ? page : "")),
    ...objects
  ]
  return Buffer.concat([
    Buffer.from("%PDF-1.7\n"),
    ...all.flatMap((object, index) => [
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from("\nendobj\n")
    ]),
    Buffer.from(`trailer\n<< /Root 1 0 R ${trailer} >>\nstartxref\n9\n%%EOF\n`)
  ])
}
