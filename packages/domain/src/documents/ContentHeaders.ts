/** What the answer with a document's bytes says of them. */

/** From the byte `start` up to and without `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The one range that is asked for (RFC 9110, section 14.2); `undefined` where the whole is to be answered,
 * also for several ranges or an unknown unit; `NONE` where no byte is in it.
 */
export const rangeOf = (
  header: string | undefined,
  size: number
): ByteRange | "NONE" | undefined => {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/u.exec(header ?? "") ?? []
  if (first === "" && last === "") return undefined
  if (first === "") {
    const count = Number(last)
    return count === 0 || size === 0 ? "NONE" : { start: Math.max(0, size - count), end: size }
  }
  const start = Number(first)
  if (last !== "" && Number(last) < start) return undefined
  if (start >= size) return "NONE"
  return { start, end: last === "" ? size : Math.min(size, Number(last) + 1) }
}

/** Whether one of the etags of `if-none-match` is this one (RFC 9110, section 13.1.2). */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(",").some((one) => ["*", etag].includes(one.trim().replace(/^W\//u, "")))

/** Offers the bytes as a file of this name, in both forms of RFC 6266: no browser shows them in the page. */
export const attachment = (name: string): string => {
  const plain = name.replaceAll(/[^\u0020-\u007e]|["\\%]/gu, "_")
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/gu,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

const extensions: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/tiff": "tiff",
  "image/heic": "heic",
  "text/plain": "txt",
  "text/csv": "csv"
}

/** The name of a file that is made of a title: it says what its bytes are, whatever the title says. */
export const fileNameOf = (title: string, mediaType: string): string => {
  const extension = extensions[mediaType] ?? "bin"
  const safe = title
    .replaceAll(/[\p{C}/\\:*?"<>|]/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim()
  const base = safe.toLowerCase().endsWith(`.${extension}`)
    ? safe.slice(0, -extension.length - 1)
    : safe
  return `${
    base
      .replace(/^[. ]+/u, "")
      .slice(0, 150)
      .trim() || "document"
  }.${extension}`
}
