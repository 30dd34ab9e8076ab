/** Forms with a file: what is put aside on the disk, and that nothing of it stays there. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import { readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import * as MultipartForm from "../src/MultipartForm.ts"

const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
const end = "\r\n--x--\r\n"
const secret = "Camille Martin, 12 rue des Lilas"

/** Receives what is sent piece by piece; a piece that is an error ends it there. */
const receive = (pieces: ReadonlyArray<string | Error>) => {
  const left = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = left.shift()
      if (piece === undefined) controller.close()
      else if (piece instanceof Error) controller.error(piece)
      else controller.enqueue(Buffer.from(piece))
    }
  })
  const request = new Request("http://localhost/", {
    method: "POST",
    body,
    headers: { "content-type": "multipart/form-data; boundary=x" },
    duplex: "half"
  } as RequestInit)
  const { multipartStream } = HttpServerRequest.fromWeb(request)
  return MultipartForm.receive(multipartStream, Schema.Struct({}), 1000)
}

/** What this process has put aside. */
const putAside = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`quittance-form-${process.pid}-`))

describe("the file of a form", () => {
  it.effect("is on the disk for as long as its request, and unreadable there", () =>
    Effect.gen(function* () {
      const within = Effect.gen(function* () {
        const { file } = yield* receive([head, secret, secret, end])
        assert.strictEqual(Buffer.from(yield* file.bytes).toString(), secret + secret)
        const [folder] = putAside()
        const stored = readFileSync(path.join(tmpdir(), folder!, "file"))
        assert.strictEqual(stored.length, secret.length * 2)
        assert.notInclude(stored.toString("latin1"), secret.slice(0, 8))
      })
      yield* Effect.scoped(within)
      assert.deepStrictEqual(putAside(), [])
    })
  )

  it.effect("is gone where its sender stops, or sends too much", () =>
    Effect.gen(function* () {
      const sent: ReadonlyArray<ReadonlyArray<string | Error>> = [
        [head, secret, new Error("The connection was reset")],
        [head, secret],
        [head, secret.repeat(40), end],
        [head, secret, end.slice(0, 6)]
      ]
      for (const pieces of sent) {
        const exit = yield* Effect.exit(Effect.scoped(receive(pieces)))
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(putAside(), [])
      }
    })
  )
})
