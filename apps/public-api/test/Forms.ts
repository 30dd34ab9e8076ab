/** Forms with a file, as a browser sends them (RFC 7578). */

interface SentFile {
  readonly name?: string
  readonly type?: string
  readonly bytes: string | Uint8Array
}

const boundary = "----quittance-form"

/** Begins with the fields, as forms do. */
const partsOf = (fields: Readonly<Record<string, string>>, file?: SentFile): Buffer =>
  Buffer.concat([
    ...Object.entries(fields).map(([name, value]) =>
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      )
    ),
    ...(file === undefined
      ? []
      : [
          Buffer.from(
            `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${
              file.name ?? "a.txt"
            }"\r\ncontent-type: ${file.type ?? "text/plain"}\r\n\r\n`
          ),
          Buffer.from(file.bytes),
          Buffer.from("\r\n")
        ])
  ])

const headers = { "content-type": `multipart/form-data; boundary=${boundary}` }

/** A form that is sent to its end. */
export const form = (fields: Readonly<Record<string, string>>, ...files: Array<SentFile>) => ({
  headers,
  body: Buffer.concat([
    partsOf(fields),
    ...files.map((file) => partsOf({}, file)),
    Buffer.from(`--${boundary}--\r\n`)
  ])
})
