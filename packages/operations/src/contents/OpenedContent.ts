/** The plain bytes of a content that lies in a store, each segment checked before anything of it is shown. */
import * as SealedContent from "@quittance/auth/SealedContent"
import type { ContentRecord } from "@quittance/persistence/contents/ContentsRepo"
import { Data, Effect, Stream } from "effect"
import { createHash, timingSafeEqual } from "node:crypto"
import type { ContentStore } from "./ContentStore.ts"

/** From the byte `start` up to and without `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A content is not what was stored. The operator has to check the store and its backups. */
class ContentDamaged extends Data.TaggedError("ContentDamaged")<{
  readonly name: string
  readonly problem: string
}> {
  override get message() {
    return `The content ${this.name} is damaged, ${this.problem}; compare the store with its backup.`
  }
}

/** The bytes of a range. One that is damaged is a defect, and nothing of it or behind it is answered. */
export const stream = (
  store: ContentStore,
  { name, size }: ContentRecord,
  key: Uint8Array,
  { end, start }: Range
) => {
  const count = SealedContent.segmentCount(size)
  const first = Math.min(count - 1, Math.floor(start / SealedContent.segmentSize))
  const last = Math.max(first, Math.ceil(end / SealedContent.segmentSize) - 1)
  const from = first * SealedContent.sealedSegmentSize
  const to = Math.min(SealedContent.sealedSize(size), (last + 1) * SealedContent.sealedSegmentSize)
  const open = (sealed: Uint8Array, index: number) => {
    const number = first + index
    const plain = SealedContent.openSegment(sealed, key, { number, isLast: number === count - 1 })
    if (plain === undefined) {
      return Effect.die(new ContentDamaged({ name, problem: `in its segment ${number}` }))
    }
    const offset = number * SealedContent.segmentSize
    return Effect.succeed(plain.subarray(Math.max(0, start - offset), Math.max(0, end - offset)))
  }
  const whole = inSegments(store.get(name, from, to)).pipe(Stream.mapEffect(open))
  return counted(whole, end - start, name)
}

/** As many bytes as there have to be, or a defect. */
const counted = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, expected: number, name: string) =>
  Stream.suspend(() => {
    let seen = 0
    const end = Stream.suspend(() => {
      const problem = `with ${seen} bytes instead of ${expected}`
      return seen === expected ? Stream.empty : Stream.die(new ContentDamaged({ name, problem }))
    })
    const count = (piece: Uint8Array) => {
      seen += piece.length
      return piece
    }
    return Stream.concat(Stream.map(bytes, count), end)
  })

/** Bytes in pieces of any size, as sealed segments. */
const inSegments = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) =>
  bytes.pipe(
    Stream.mapAccum(
      (): Uint8Array => new Uint8Array(0),
      (rest, piece: Uint8Array) => {
        const all = rest.length === 0 ? piece : Buffer.concat([rest, piece])
        const segments: Array<Uint8Array> = []
        let at = 0
        for (; at + SealedContent.sealedSegmentSize <= all.length;) {
          segments.push(all.subarray(at, at + SealedContent.sealedSegmentSize))
          at += SealedContent.sealedSegmentSize
        }
        return [all.subarray(at), segments] as const
      },
      { onHalt: (rest) => (rest.length === 0 ? [] : [rest]) }
    )
  )

/** Fails with a defect unless the bytes have the SHA-256 of the content. */
export const check = Effect.fnUntraced(function* <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  { name, sha256 }: ContentRecord
) {
  const hash = createHash("sha256")
  yield* Stream.runForEach(bytes, (piece) => Effect.sync(() => hash.update(piece)))
  if (!timingSafeEqual(hash.digest(), sha256)) {
    return yield* Effect.die(new ContentDamaged({ name, problem: "in its SHA-256" }))
  }
})

/** All bytes, checked likewise. */
export const collect = Effect.fnUntraced(function* <E, R>(
  bytes: Stream.Stream<Uint8Array, E, R>,
  record: ContentRecord
) {
  const whole = yield* Stream.mkUint8Array(bytes)
  yield* check(Stream.make(whole), record)
  return whole
})
