/**
 * Marks a PDF as Factur-X. Typst writes the file and puts the XML inside, but has no way to say so in the
 * file's metadata (XMP). That is added as an incremental update: the file's bytes stay, and a newer copy of the
 * metadata follows them.
 */

/** The file that an invoice's XML lies in, by the name that Factur-X gives it. */
export const facturXName = "factur-x.xml"

const namespace = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"

const values = {
  DocumentFileName: facturXName,
  DocumentType: "INVOICE",
  Version: "1.0",
  ConformanceLevel: "EN 16931"
}

const meanings: Record<keyof typeof values, string> = {
  DocumentFileName: "name of the embedded XML invoice file",
  DocumentType: "INVOICE",
  Version: "The actual version of the Factur-X XML schema",
  ConformanceLevel: "The conformance level of the embedded Factur-X data"
}

/** PDF/A wants each property of a schema that is not its own to be described. */
const described = Object.entries(meanings)
  .map(
    ([name, meaning]) =>
      `<rdf:li rdf:parseType="Resource"><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${meaning}</pdfaProperty:description><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType></rdf:li>`
  )
  .join("")

const schema = `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${described}</rdf:Seq></pdfaSchema:property></rdf:li>`

const properties = `<rdf:Description rdf:about="" xmlns:fx="${namespace}">${Object.entries(values)
  .map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`)
  .join("")}</rdf:Description>`

/** The same file with the metadata of Factur-X. It throws where the file is not as Typst writes it. */
export const asFacturX = (pdf: Uint8Array): Uint8Array => {
  // One byte is one character, so places in the text are those in the file.
  const text = Buffer.from(pdf).toString("latin1")
  const object = only(
    text,
    /(?<number>\d+) 0 obj\n<<\n {2}\/Length (?<length>\d+)\n {2}\/Type \/Metadata\n {2}\/Subtype \/XML\n>>\nstream\n/gu
  )
  const start = object.index + object[0].length
  const before = Buffer.from(pdf.subarray(start, start + Number(object.groups!["length"])))
  const metadata = Buffer.from(
    inserted(
      inserted(before.toString("utf8"), "<pdfaExtension:schemas><rdf:Bag>", "", schema),
      "</rdf:RDF>",
      properties,
      ""
    )
  )
  const trailer = only(
    text,
    /trailer\n<<\n(?<entries>[\s\S]*?)\n>>\nstartxref\n(?<xref>\d+)\n%%EOF/gu
  )
  const number = object.groups!["number"]!
  const offset = pdf.length + 1
  const head = `\n${number} 0 obj\n<<\n  /Length ${metadata.length}\n  /Type /Metadata\n  /Subtype /XML\n>>\nstream\n`
  const end = "\nendstream\nendobj\n\n"
  const table = pdf.length + head.length + metadata.length + end.length
  const foot = `xref\n${number} 1\n${String(offset).padStart(10, "0")} 00000 n\r\ntrailer\n<<\n${trailer.groups!["entries"]}\n  /Prev ${trailer.groups!["xref"]}\n>>\nstartxref\n${table}\n%%EOF`
  return Buffer.concat([
    pdf,
    Buffer.from(head),
    metadata,
    Buffer.from(end),
    Buffer.from(foot, "latin1")
  ])
}

/** What is there exactly once. */
const only = (text: string, pattern: RegExp): RegExpExecArray => {
  const [found, ...more] = text.matchAll(pattern)
  if (found === undefined || more.length > 0) {
    throw new Error("The typesetter's file is not as expected; its version may have changed.")
  }
  return found
}

const inserted = (text: string, at: string, before: string, after: string): string => {
  if (text.split(at).length !== 2) {
    throw new Error("The typesetter's metadata is not as expected; its version may have changed.")
  }
  return text.replace(at, () => before + at + after)
}
