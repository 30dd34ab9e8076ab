import { connect, type Socket } from "node:net"

/** A connection on which bytes are sent as they are. */
export class RawConnection {
  private text = ""
  private waiting: (() => void) | undefined
  private closed = false
  private readonly socket: Socket

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding("latin1")
    socket.on("data", (chunk) => {
      this.text += chunk
      this.waiting?.()
    })
    for (const event of ["close", "error"] as const) {
      socket.on(event, () => {
        this.closed = true
        this.waiting?.()
      })
    }
  }

  static open(port: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => resolve(new RawConnection(socket)))
      socket.once("error", reject)
    })
  }

  send(bytes: string | Uint8Array): void {
    // Writing to what the server has closed already is not what these tests are about.
    if (!this.socket.destroyed) this.socket.write(bytes as string, "latin1")
  }

  end(): void {
    this.socket.end()
  }

  /** What has been answered once it holds all that is wanted, or the connection is closed. */
  async answer(wanted: (text: string) => boolean): Promise<string> {
    while (!this.closed && !wanted(this.text)) {
      await new Promise<void>((resolve) => {
        this.waiting = resolve
      })
    }
    return this.text
  }
}

/** Whether a text holds at least so many whole answers with the length of their body. */
export const holds =
  (count: number) =>
  (text: string): boolean =>
    answersIn(text).length >= count

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** The whole answers in a text, interim ones without their body. */
export const answersIn = (text: string): ReadonlyArray<RawAnswer> => {
  const end = text.indexOf("\r\n\r\n")
  if (end < 0) return []
  const head = text.slice(0, end).toLowerCase()
  const status = Number(/^http\/1\.1 (\d{3})/u.exec(head)?.[1])
  const length = status < 200 ? 0 : Number(/\r\ncontent-length: (\d+)/u.exec(head)?.[1] ?? 0)
  const body = text.slice(end + 4, end + 4 + length)
  if (body.length < length) return []
  return [{ status, head, body }, ...answersIn(text.slice(end + 4 + length))]
}
