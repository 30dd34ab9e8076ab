/**
 * Rules of PDF/A-3 (ISO 19005-3), level A, that the objects of a file show, as qpdf writes them down. They are some
 * of a validator's rules, not all: the streams of pages are looked at for colours alone.
 */

type Value = null | boolean | number | string | ReadonlyArray<Value> | Dictionary
interface Dictionary {
  readonly [key: string]: Value
}

/** An object of the file; a stream has its bytes, decoded, in base64. */
type Entry =
  | { readonly value: Value }
  | { readonly stream: { readonly dict: Dictionary; readonly data?: string } }

export type Objects = Readonly<Record<string, Entry>>

/** How qpdf is asked. */
export const questions = [
  "--json=2",
  "--json-key=qpdf",
  "--json-stream-data=inline",
  "--decode-level=generalized"
]

/** What qpdf says of a file. */
export const objectsOf = (json: string): Objects => {
  const { qpdf }: { readonly qpdf: readonly [unknown, Objects] } = JSON.parse(json)
  return qpdf[1]
}

/** The names of the rules that a file breaks; empty where it breaks none. */
export const broken = (objects: Objects): ReadonlyArray<string> => {
  const file = reading(objects)
  return Object.entries(rules).flatMap(([name, isKept]) => (isKept(file) ? [] : [name]))
}

const isDictionary = (value: Value | undefined): value is Dictionary =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A file as its rules read it: references are followed. */
const reading = (objects: Objects) => {
  const contentOf = (entry: Entry): Value => ("stream" in entry ? entry.stream.dict : entry.value)
  const follow = (value: Value | undefined): Value | undefined => {
    const entry = typeof value === "string" ? objects[`obj:${value}`] : undefined
    return entry === undefined ? value : contentOf(entry)
  }
  const at = (value: Value | undefined, ...keys: ReadonlyArray<string>): Value | undefined =>
    keys.reduce<Value | undefined>((found, key) => {
      const inner = follow(found)
      return isDictionary(inner) ? inner[key] : undefined
    }, value)
  const list = (value: Value | undefined): ReadonlyArray<Value> => {
    const found = follow(value)
    return Array.isArray(found) ? found : []
  }
  const bytes = (reference: Value | undefined): string => {
    const entry = objects[`obj:${String(reference)}`]
    const data = entry !== undefined && "stream" in entry ? entry.stream.data : undefined
    return Buffer.from(data ?? "", "base64").toString("latin1")
  }
  const all: Array<Dictionary> = []
  const walk = (value: Value) => {
    if (Array.isArray(value)) for (const one of value) walk(one)
    else if (isDictionary(value)) {
      all.push(value)
      for (const one of Object.values(value)) walk(one)
    }
  }
  for (const entry of Object.values(objects)) walk(contentOf(entry))
  const trailer = contentOf(objects["trailer"]!)
  return {
    all,
    at,
    bytes,
    list,
    trailer,
    catalog: at(trailer, "/Root"),
    info: at(trailer, "/Info")
  }
}
type File = ReturnType<typeof reading>

const named = (...names: ReadonlyArray<string>): ReadonlySet<Value | undefined> =>
  new Set(names.map((name) => `/${name}`))

const badActions = named(
  "GoTo3DView",
  "Hide",
  "ImportData",
  "JavaScript",
  "Launch",
  "Movie",
  "Rendition",
  "ResetForm",
  "SetOCGState",
  "Sound",
  "Trans"
)
const badAnnotations = named("3D", "Movie", "Screen", "Sound")
const relationships = named("Alternative", "Data", "Source", "Supplement", "Unspecified")
const badFilters = named("Crypt", "LZWDecode")

const ofType = ({ all }: File, type: string) => all.filter((one) => one["/Type"] === type)

const metadata = ({ at, bytes, catalog }: File) =>
  Buffer.from(bytes(at(catalog, "/Metadata")), "latin1").toString("utf8")

/** The text of a string of the file. */
const text = (value: Value | undefined) => String(value).replace(/^u:/u, "")

const escaped = (value: string) =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const profileOf = ({ at, catalog, list }: File) =>
  list(at(catalog, "/OutputIntents")).find((one) => at(one, "/S") === "/GTS_PDFA1")

const rules: Readonly<Record<string, (file: File) => boolean>> = {
  "is not encrypted": ({ at, trailer }) => at(trailer, "/Encrypt") === undefined,
  "has an identifier": ({ at, list, trailer }) => list(at(trailer, "/ID")).length === 2,
  "says in its metadata that it is PDF/A-3a": (file) =>
    metadata(file).includes("<pdfaid:part>3</pdfaid:part>") &&
    metadata(file).includes("<pdfaid:conformance>A</pdfaid:conformance>"),
  "has its title in its metadata as well": (file) =>
    metadata(file).includes(`>${escaped(text(file.at(file.info, "/Title")))}</rdf:li>`),
  "has its time in its metadata as well": (file) => {
    const [, year, month, day] =
      /^D:(\d{4})(\d\d)(\d\d)/u.exec(text(file.at(file.info, "/CreationDate"))) ?? []
    return metadata(file).includes(`<xmp:CreateDate>${year}-${month}-${day}T`)
  },
  "says what its colours are": (file) => {
    const profile = file.at(profileOf(file), "/DestOutputProfile")
    return file.at(profile, "/N") === 3 && file.bytes(profile).slice(36, 40) === "acsp"
  },
  "has no colours of another kind": ({ all, at, bytes, list }) =>
    all.every((one) => !Object.values(one).some((value) => value === "/DeviceCMYK")) &&
    all
      .filter((one) => one["/Type"] === "/Page")
      .flatMap((page): ReadonlyArray<Value | undefined> => {
        const contents = at(page, "/Contents")
        return list(contents).length > 0 ? list(contents) : [contents]
      })
      .every((content) => !/^(?:-?[\d.]+\s+){4}[kK]\s/mu.test(bytes(content))),
  "is tagged, in a language": ({ at, catalog }) =>
    at(catalog, "/MarkInfo", "/Marked") === true &&
    at(catalog, "/StructTreeRoot", "/Type") === "/StructTreeRoot" &&
    /^u:[a-z]{2}(?:-[A-Z]{2})?$/u.test(String(at(catalog, "/Lang"))),
  "has all its fonts inside": (file) =>
    ofType(file, "/FontDescriptor").length > 0 &&
    ofType(file, "/FontDescriptor").every(
      (one) => one["/FontFile2"] !== undefined || one["/FontFile3"] !== undefined
    ),
  "tells the characters of each glyph": (file) =>
    ofType(file, "/Font")
      .filter((font) => font["/Subtype"] === "/Type0")
      .every((font) => file.bytes(font["/ToUnicode"]).includes("beginbfchar")),
  "says for each file inside what it is to the document": (file) => {
    const files = ofType(file, "/Filespec")
    const associated = new Set(
      file.list(file.at(file.catalog, "/AF")).map((one) => file.at(one, "/F"))
    )
    return (
      files.length > 0 &&
      files.every(
        (one) =>
          relationships.has(one["/AFRelationship"]) &&
          one["/F"] !== undefined &&
          one["/F"] === one["/UF"] &&
          associated.has(one["/F"]) &&
          /^\/\w+\/\w+/u.test(String(file.at(one, "/EF", "/F", "/Subtype"))) &&
          file.at(one, "/EF", "/F", "/Params", "/ModDate") !== undefined
      )
    )
  },
  "does nothing by itself": ({ all, at, catalog }) =>
    all.every((one) => !badActions.has(one["/S"]) && one["/AA"] === undefined) &&
    at(catalog, "/OpenAction") === undefined &&
    at(catalog, "/Names", "/JavaScript") === undefined,
  "has no form that programs fill in": ({ at, catalog }) =>
    at(catalog, "/AcroForm", "/XFA") === undefined &&
    at(catalog, "/AcroForm", "/NeedAppearances") !== true,
  "prints each annotation": (file) =>
    ofType(file, "/Annot").every(
      (one) =>
        !badAnnotations.has(one["/Subtype"]) &&
        // Printed, and neither invisible, nor hidden, nor without a view.
        (Number(one["/F"]) & 0b100111) === 0b100
    ),
  "needs no other file, and no way of packing that is not free": ({ all, list }) =>
    all.every(
      (one) =>
        !badFilters.has(one["/Filter"]) &&
        list(one["/Filter"]).every((filter) => !badFilters.has(filter)) &&
        one["/OPI"] === undefined &&
        one["/Ref"] === undefined &&
        one["/Subtype2"] !== "/PS"
    ),
  "shows pictures as they are": ({ all }) =>
    all.every((one) => one["/Interpolate"] !== true && one["/Alternates"] === undefined),
  "changes no colours on the way to paper": (file) =>
    file.all.every(
      (one) => one["/TR"] === undefined && (one["/TR2"] === undefined || one["/TR2"] === "/Default")
    )
}
