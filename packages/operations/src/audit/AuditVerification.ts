/** Whether an audit trail still is what was written: recomputes its chain from the first row on. */
import type { SealedEntry } from "@quittance/domain/audit/ChainedEntry"
import type { Anchor } from "@quittance/domain/audit/Audit"
import {
  AuditChainRepo,
  type Overdue,
  type Unsealed
} from "@quittance/persistence/audit/AuditChainRepo"
import { Context, Effect, Layer } from "effect"
import * as AuditChain from "./AuditChain.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** How many rows are held at a time: memory stays the same however long the trail is. */
const batchSize = 2000

/** What is wrong with a trail. */
export interface ChainFault {
  readonly kind: "CHANGED" | "REMOVED" | "INSERTED" | "HEAD" | "ANCHOR" | "LATE"
  /** Where in the chain; absent for what is in none. */
  readonly position?: number
  /** The row that gives it away. */
  readonly rowId?: string
  /** One sentence for people. */
  readonly problem: string
}

export interface Verified {
  /** How many rows from the first on are as they were sealed. */
  readonly sound: number
  /** The end of the chain, if all of it is sound: an anchor to keep elsewhere. */
  readonly head: Anchor | undefined
  /** Rows that are written and wait to be sealed: nothing vouches for them yet. */
  readonly unsealed: Unsealed
  /** The first break of the chain, then what else looks wrong; empty when all is well. */
  readonly faults: ReadonlyArray<ChainFault>
}

export class AuditVerification extends Context.Service<
  AuditVerification,
  {
    /**
     * Verifies the tenant's trail, while it grows: up to the head of the moment. An attacker who can write
     * everything in the database can also write another chain; only an anchor that was kept elsewhere reveals
     * that.
     */
    verify(anchor: Anchor | undefined): Effect.Effect<Verified, never, CurrentTenant>
  }
>()("@quittance/operations/AuditVerification") {
  static readonly layer = Layer.effect(
    AuditVerification,
    Effect.gen(function* () {
      const repo = yield* AuditChainRepo

      /**
       * The chain up to a position, and the hash at the anchor on the way. It goes by as many positions
       * at a time, so that a position which two rows have is seen, and not skipped between two batches.
       */
      const walk = Effect.fnUntraced(function* (end: number, anchor: Anchor | undefined) {
        const tenant = yield* CurrentTenant
        let progress = AuditChain.start
        let anchored: string | undefined
        while (progress.position < end) {
          const after = progress.position
          const upTo = Math.min(after + batchSize, end)
          const rows = yield* repo.sealed({ after, upTo, limit: batchSize + 1 })
          const { broken, progress: reached } = AuditChain.follow(tenant, progress, rows)
          const atAnchor = rows.find(({ position }) => position === anchor?.position)
          if (atAnchor !== undefined && atAnchor.position <= reached.position) {
            anchored = atAnchor.hash ?? undefined
          }
          progress = reached
          if (broken !== undefined) return { anchored, broken, progress }
          if (progress.position < upTo) break
        }
        return { anchored, broken: yield* gapAfter(progress.position, end), progress }
      })

      /** What is missing between a position and the end: all of it, or up to the next row. */
      const gapAfter = Effect.fnUntraced(function* (position: number, end: number) {
        if (position >= end) return undefined
        const [row] = yield* repo.sealed({ after: position, upTo: end, limit: 1 })
        const gap: AuditChain.Break = { kind: "REMOVED", position: position + 1, row }
        return gap
      })

      /** What a break is: a row that was put in lets the next one fit in its place. */
      const told = Effect.fnUntraced(function* (
        { kind, position, row }: AuditChain.Break,
        previous: string
      ) {
        if (row === undefined) return cutOff(position)
        if (kind === "REMOVED") return removed(position, row)
        if (kind === "DOUBLED") return doubled(row)
        const [next] = yield* repo.sealed({ after: row.position, upTo: row.position + 1, limit: 1 })
        const fits =
          next !== undefined &&
          AuditChain.hashOf(yield* CurrentTenant, previous, next, { ...next, position }) ===
            next.hash
        return fits ? inserted(position, row) : changed(position, row)
      })

      const verify = Effect.fn("AuditVerification.verify")(function* (anchor: Anchor | undefined) {
        // Before the head is read: what is sealed meanwhile is then told twice, and not left out.
        const unsealed = yield* repo.unsealed
        const { firstPosition, head, lastPosition } = yield* repo.standing
        const end = head?.position ?? 0
        const { anchored, broken, progress } = yield* walk(end, anchor)
        const faults: Array<ChainFault> = []
        if (broken !== undefined) {
          faults.push(yield* told(broken, progress.hash))
        } else if (head !== undefined && progress.hash !== head.hash) {
          faults.push(otherHead(end))
        }
        if (firstPosition < 1) faults.push(ahead(firstPosition))
        if (lastPosition > end) faults.push(beyond(end, lastPosition))
        if (
          anchor !== undefined &&
          (anchor.position > progress.position || anchored !== anchor.hash)
        ) {
          faults.push(otherAnchor(anchor, progress.position))
        }
        if (progress.firstLate !== undefined) faults.push(late(progress.late, progress.firstLate))
        const { latest } = progress
        const overdue =
          latest === undefined ? undefined : yield* repo.overdue(latest, AuditChain.lateness)
        if (overdue !== undefined) faults.push(lateUnsealed(overdue))
        return {
          sound: progress.position,
          head: faults.some(({ kind }) => kind !== "LATE") ? undefined : head,
          unsealed,
          faults
        }
      })

      return AuditVerification.of({ verify })
    })
  ).pipe(Layer.provide(AuditChainRepo.layer))
}

const changed = (position: number, { id }: SealedEntry): ChainFault => ({
  kind: "CHANGED",
  position,
  rowId: id,
  problem: `The row at position ${position} does not fit its hash: it was changed, or is not the one that was sealed there.`
})

const inserted = (position: number, { id }: SealedEntry): ChainFault => ({
  kind: "INSERTED",
  position,
  rowId: id,
  problem: `The row at position ${position} was put in: without it the chain goes on.`
})

const removed = (position: number, { id, position: found }: SealedEntry): ChainFault => ({
  kind: "REMOVED",
  position,
  rowId: id,
  problem:
    found === position + 1
      ? `The row at position ${position} was removed: the next one there is has position ${found}.`
      : `The rows from position ${position} to ${found - 1} were removed: the next one there is has position ${found}.`
})

const cutOff = (position: number): ChainFault => ({
  kind: "REMOVED",
  position,
  problem: `The rows from position ${position} on were removed: the head says that there were more.`
})

const doubled = ({ id, position }: SealedEntry): ChainFault => ({
  kind: "INSERTED",
  position,
  rowId: id,
  problem: `There are two rows at position ${position}: one of them was put in.`
})

const otherHead = (position: number): ChainFault => ({
  kind: "HEAD",
  position,
  problem: `The chain does not end in the hash that its head says: one of the two was changed.`
})

const beyond = (end: number, last: number): ChainFault => ({
  kind: "HEAD",
  position: end + 1,
  problem: `The head says that the chain ends at position ${end}, but there are rows up to ${last}: rows were put in, or the head was changed.`
})

const ahead = (position: number): ChainFault => ({
  kind: "INSERTED",
  position,
  problem: `There is a row at position ${position}, before the first: it was put in.`
})

const otherAnchor = ({ position }: Anchor, reached: number): ChainFault => ({
  kind: "ANCHOR",
  position,
  problem:
    position > reached
      ? `The chain is sound up to position ${reached} only, and the anchor is at ${position}: rows were removed, or changed.`
      : `The row at position ${position} has another hash than the anchor: the chain was written again.`
})

const late = (rows: number, { id, position }: SealedEntry): ChainFault => ({
  kind: "LATE",
  position,
  rowId: id,
  problem: `${counted(rows)} to have been recorded long before becoming visible; the first is at position ${position}. It was put in afterwards, or the database's clock ran back.`
})

const lateUnsealed = ({ firstId: rowId, rows }: Overdue): ChainFault => ({
  kind: "LATE",
  rowId,
  problem: `${counted(rows)} to have been recorded long ago, but wait to be sealed; the first is ${rowId}. It was put in afterwards, or had its seal taken away.`
})

const counted = (rows: number): string => (rows === 1 ? "1 row says" : `${rows} rows say`)
