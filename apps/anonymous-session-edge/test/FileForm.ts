/** Forms with a file, as a browser sends them (RFC 7578), and what is sent in them. */

const boundary = "----quittance-form"

export const fileForm = (bytes: string | Uint8Array) => ({
  headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  body: Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: application/octet-stream\r\n\r\n`
    ),
    Buffer.from(bytes),
    Buffer.from(`\r\n--${boundary}--\r\n`)
  ])
})

/** Begins as a PDF file does, and has the place of a seal with nothing of one in it. */
export const sealedText = (() => {
  const before = "%PDF-1.7\n1 0 obj<</ByteRange[0 "
  const tail = "]/Contents"
  const start = before.length + 29 + tail.length
  const range = [start, start + 6, 4].map((one) => String(one).padStart(9, "0")).join(" ")
  return `${before}${range}${tail}<3000>>>\n\n`
})()
