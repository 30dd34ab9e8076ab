/** People who read documents over HTTP, from programs that die meanwhile, and what they were given. */
import { Effect, Exit } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Draw } from "../Draw.ts"

/** What came of reads. */
export interface Reads {
  /** Files that came whole. */
  whole: number
  /** Reads that had no answer, or one that was cut. */
  cut: number
  /** Answers without a file, by their status. */
  readonly refused: Map<number, number>
  /** The SHA-256 of what was given of each document. */
  readonly given: Map<string, string>
  readonly faults: Array<string>
}

export const none = (): Reads => ({
  whole: 0,
  cut: 0,
  refused: new Map(),
  given: new Map(),
  faults: []
})

export interface Wanted {
  readonly tenant: string
  readonly id: string
}

/** Where documents are asked for, and by whose token. */
export interface Desk {
  readonly base: () => string
  readonly token: (tenant: string) => Promise<string | undefined>
}

/** A document that has no bytes now: void before it was made, failed, not made for want of a renderer. */
const expectedRefusals = new Set([404, 409, 410, 503])
/** A reader's patience, in milliseconds: the programs' own is shorter. */
const patience = 40_000

/** Reads one document; whether its file came. */
export const readOne = async (
  desk: Desk,
  { id, tenant }: Wanted,
  reads: Reads
): Promise<boolean> => {
  const token = await desk.token(tenant)
  if (token === undefined) return false
  try {
    const response = await fetch(`${desk.base()}/documents/${id}/content`, {
      headers: { authorization: `Bearer ${token}`, tenant },
      signal: AbortSignal.timeout(patience)
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.status !== 200) {
      reads.refused.set(response.status, (reads.refused.get(response.status) ?? 0) + 1)
      if (!expectedRefusals.has(response.status)) {
        reads.faults.push(`${id} was answered with ${response.status}: ${bytes.toString("utf8")}`)
      }
      return false
    }
    take(id, bytes, response.headers.get("etag"), reads)
    return true
  } catch {
    reads.cut++
    return false
  }
}

const take = (id: string, bytes: Buffer, etag: string | null, reads: Reads) => {
  const sha256 = createHash("sha256").update(bytes).digest("hex")
  reads.whole++
  if (etag !== `"${sha256}"`) reads.faults.push(`${id} has other bytes than its etag ${etag} says`)
  const before = reads.given.get(id) ?? sha256
  if (before !== sha256) reads.faults.push(`${id} was given with other bytes than before`)
  reads.given.set(id, sha256)
}

/** Documents to read next: those that have no bytes first. */
const some = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Wanted>`
    SELECT tenant_id AS tenant, id FROM document WHERE status IN ('PENDING', 'READY', 'FAILED')
    ORDER BY status = 'PENDING' DESC, random() LIMIT 20
  `
})

/** Reads until it is over. */
export const read = Effect.fn("Readers.read")(function* (
  look: (
    wanted: Effect.Effect<ReadonlyArray<Wanted>, SqlError.SqlError, SqlClient.SqlClient>
  ) => Effect.Effect<ReadonlyArray<Wanted>, unknown>,
  {
    desk,
    draw,
    isOver
  }: { readonly desk: Desk; readonly draw: Draw; readonly isOver: () => boolean },
  reads: Reads
) {
  while (!isOver()) {
    const exit = yield* Effect.exit(look(some))
    const wanted = Exit.isSuccess(exit) ? exit.value : []
    for (const one of wanted) {
      if (isOver()) break
      const came = yield* Effect.promise(() => readOne(desk, one, reads))
      if (!came) yield* Effect.promise(() => sleep(draw.below(200)))
    }
    if (wanted.length === 0) yield* Effect.promise(() => sleep(200))
  }
})
