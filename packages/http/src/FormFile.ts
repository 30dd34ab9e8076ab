/**
 * A file of a form, put aside while it comes in: however many are sent at a time, none of them takes
 * memory before it is asked for. What lies on the disk is encrypted under a key that only this process
 * has, and removed with the request.
 */
import { PayloadTooLarge } from "@quittance/domain/requests/RequestErrors"
import { Effect, Stream } from "effect"
import type { Multipart } from "effect/http"
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"

/** A file that was received whole. */
export interface FormFile {
  /** As the sender calls it: a text, never a path. */
  readonly name: string
  /** As the sender declares it. */
  readonly mediaType: string
  readonly size: number
  /** In lower-case hexadecimal. */
  readonly sha256: string
  readonly bytes: Effect.Effect<Uint8Array>
}

const algorithm = "aes-256-ctr"
/** A key is used once, so its counter may begin at 0. */
const start = Buffer.alloc(16)

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(path.join(tmpdir(), `quittance-form-${process.pid}-`))),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
)

/** Receives a file, to its end or until it has more than `maximum` bytes. */
export const receive = Effect.fnUntraced(function* (
  { content, contentType: mediaType, name }: Multipart.File,
  maximum: number
) {
  const file = yield* Effect.acquireRelease(
    Effect.flatMap(folder, (made) => Effect.promise(() => open(path.join(made, "file"), "wx+"))),
    (opened) => Effect.promise(() => opened.close())
  )
  const key = randomBytes(32)
  const cipher = createCipheriv(algorithm, key, start)
  const hash = createHash("sha256")
  let size = 0
  yield* Stream.runForEach(content, (chunk) => {
    hash.update(chunk)
    size += chunk.length
    return size > maximum
      ? Effect.fail(new PayloadTooLarge({ maximum }))
      : Effect.promise(() => file.appendFile(cipher.update(chunk)))
  })
  const bytes = Effect.promise(async () => {
    const plain = Buffer.allocUnsafeSlow(size)
    const decipher = createDecipheriv(algorithm, key, start)
    for (let at = 0; at < size;) {
      const piece = plain.subarray(at, at + pieceSize)
      const { bytesRead } = await file.read(piece, 0, piece.length, at)
      if (bytesRead === 0) throw new Error("A file that was put aside is shorter than it was")
      decipher.update(piece.subarray(0, bytesRead)).copy(plain, at)
      at += bytesRead
    }
    return plain
  })
  return { name, mediaType, size, sha256: hash.digest("hex"), bytes } satisfies FormFile
})

const pieceSize = 1_048_576
