/** PostgreSQL's messages as they pass by in chunks: enough of each to know which transaction is where. */

/** Of a longer message only the beginning is kept: what names a statement, and the word that it begins with. */
const kept = 300

export interface Message {
  /** The letter of its type; empty for the first of a client, which has none. */
  readonly type: string
  readonly body: Buffer
}

/** Calls back once for each message that has passed as a whole. */
export const messages = (startsUntyped: boolean, onMessage: (message: Message) => void) => {
  let head = Buffer.alloc(0)
  let body: Array<Buffer> = []
  let missing = 0
  let type = ""
  let untyped = startsUntyped
  const end = () => {
    onMessage({ type, body: Buffer.concat(body).subarray(0, kept) })
    body = []
    untyped = false
  }
  return (chunk: Buffer): void => {
    let at = 0
    while (at < chunk.length) {
      if (missing > 0) {
        const part = chunk.subarray(at, at + missing)
        if (body.reduce((sum, { length }) => sum + length, 0) < kept) body.push(part)
        missing -= part.length
        at += part.length
        if (missing === 0) end()
        continue
      }
      const size = untyped ? 4 : 5
      const part = chunk.subarray(at, at + size - head.length)
      head = Buffer.concat([head, part])
      at += part.length
      if (head.length < size) return
      type = untyped ? "" : String.fromCharCode(head[0]!)
      missing = head.readInt32BE(size - 4) - 4
      head = Buffer.alloc(0)
      if (missing === 0) end()
    }
  }
}

/** Text up to the next zero, from a position on. */
const textAt = (body: Buffer, from: number): string => {
  const end = body.indexOf(0, from)
  return body.toString("latin1", from, end === -1 ? body.length : end)
}

/** Calls back with what a client runs: the text of each statement, prepared before or not. */
export const statements = (onStatement: (sql: string) => void) => {
  const prepared = new Map<string, string>()
  return messages(true, ({ body, type }) => {
    if (type === "Q") onStatement(textAt(body, 0))
    if (type === "P") {
      const name = textAt(body, 0)
      prepared.set(name, textAt(body, name.length + 1))
    }
    if (type === "B") {
      const portal = textAt(body, 0)
      onStatement(prepared.get(textAt(body, portal.length + 1)) ?? "")
    }
  })
}
