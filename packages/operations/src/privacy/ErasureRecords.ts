/**
 * Erasures that survive a restore. A file apart from the database says what was erased; a database that
 * lacks some of it was restored from a backup, and no program starts on it before they are done again.
 */
import {
  type DoneErasure,
  ErasureRecord,
  ErasuresMissing,
  ErasuresUnreadable
} from "@quittance/domain/privacy/ErasureRecord"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { ErasureRecordsRepo } from "@quittance/persistence/privacy/ErasureRecordsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Config, Context, Effect, FileSystem, Layer, Option, Schema } from "effect"
import { actorOf, operator } from "../requests/Actor.ts"
import { AuditTrail, type RecordedWrite } from "../requests/AuditTrail.ts"

type Done = DoneErasure["erasure"]
type Records = ReadonlyArray<ErasureRecord>

/** How many holds were lifted, and how many erasures done again. */
export interface Replayed {
  readonly holds: number
  readonly erasures: number
}

export class ErasureRecords extends Context.Service<
  ErasureRecords,
  {
    /** What every tenant has erased, and the holds that it has lifted. */
    readonly all: Effect.Effect<Records>
    /** How many of these erasures the database lacks. */
    missing(records: Records): Effect.Effect<number>
    /** Does again what the database lacks of them; may be stopped at any time, and run again. */
    replay(records: Records): Effect.Effect<Replayed>
  }
>()("@quittance/operations/ErasureRecords") {
  static readonly layer = Layer.effect(
    ErasureRecords,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const repo = yield* ErasureRecordsRepo
      const tenantSql = yield* TenantSql
      const tenants = yield* TenantsRepo

      const all = Effect.gen(function* () {
        const ids = (yield* tenants.list).map(({ id }) => id)
        const each = yield* Effect.forEach(ids, (id) =>
          Effect.provideService(repo.all, CurrentTenant, id)
        )
        return each.flat()
      }).pipe(Effect.withSpan("ErasureRecords.all"))

      /** Does something for each tenant of the records that is there, with those of it. */
      const ofTenants = Effect.fnUntraced(function* <A>(
        records: Records,
        of: (records: Records) => Effect.Effect<A, never, CurrentTenant>
      ) {
        const parts = new Map<TenantId, Array<ErasureRecord>>()
        for (const record of records) {
          const part = parts.get(record.tenantId)
          if (part === undefined) parts.set(record.tenantId, [record])
          else part.push(record)
        }
        const present = (yield* tenants.list).flatMap(({ id }) => {
          const part = parts.get(id)
          return part === undefined ? [] : [{ id, part }]
        })
        return yield* Effect.forEach(present, ({ id, part }) =>
          Effect.provideService(of(part), CurrentTenant, id)
        )
      })

      const missing = Effect.fn("ErasureRecords.missing")(function* (records: Records) {
        const counts = yield* ofTenants(records, (part) =>
          Effect.map(repo.missing(erasuresOf(part)), ({ length }) => length)
        )
        return counts.reduce((sum, count) => sum + count, 0)
      })

      const again = (erasure: Done) =>
        tenantSql.transaction(
          Effect.gen(function* () {
            const counts = yield* repo.replay(erasure)
            yield* audit.recordAll(actorOf(operator, "operator"), writesOf(erasure, counts))
          })
        )

      const lifted = (part: Records) => {
        const holds = part.flatMap((record) => ("hold" in record ? [record.hold] : []))
        const lift = Effect.fnUntraced(function* (hold: (typeof holds)[number]) {
          const found = yield* repo.lift(hold)
          if (!found) return 0
          const action = "retentionHold.lift"
          yield* audit.recordAll(actorOf(operator, "operator"), [{ action, recordId: hold.id }])
          return 1
        })
        return Effect.forEach(holds, (hold) => tenantSql.transaction(lift(hold)))
      }

      const replay = Effect.fn("ErasureRecords.replay")(function* (records: Records) {
        const done = yield* ofTenants(records, (part) =>
          Effect.gen(function* () {
            const holds = yield* lifted(part)
            // In their order: who is the last person of a policy follows from those before.
            const lost = yield* repo.missing(erasuresOf(part))
            yield* Effect.forEach(lost, again, { discard: true })
            return { holds: sum(holds), erasures: lost.length }
          })
        )
        return {
          holds: sum(done.map(({ holds }) => holds)),
          erasures: sum(done.map(({ erasures }) => erasures))
        }
      })

      return ErasureRecords.of({ all, missing, replay })
    })
  ).pipe(
    Layer.provide([AuditTrail.layer, ErasureRecordsRepo.layer, TenantsRepo.layer]),
    Layer.provide(Ids.layer)
  )
}

const sum = (counts: ReadonlyArray<number>): number =>
  counts.reduce((total, count) => total + count, 0)

const erasuresOf = (records: Records): ReadonlyArray<Done> =>
  records.flatMap((record) => ("erasure" in record ? [record.erasure] : []))

/** What the audit trail has of it: identifiers and numbers alone. */
const writesOf = (
  { class: name, customerId, id, erasedAt }: Done,
  counts: Readonly<Record<string, number>>
): ReadonlyArray<RecordedWrite> => [
  { action: "erasure.replay", recordId: id, after: { counts }, businessAt: erasedAt },
  ...(name === "PERSON"
    ? [{ action: "customer.erase", recordId: customerId, after: { erased: true } }]
    : [])
]

const decodeLine = Schema.decodeEffect(Schema.fromJsonString(ErasureRecord))
const encodeLine = Schema.encodeEffect(Schema.fromJsonString(ErasureRecord))

/** The lines of the file of erasures: one record each. */
export const format = (records: Records): Effect.Effect<string> =>
  Effect.forEach(records, (record) => encodeLine(record)).pipe(
    Effect.map((lines) => lines.map((line) => `${line}\n`).join("")),
    Effect.orDie
  )

/** Reads a file of erasures. A line that is none fails, with its number. */
export const read = Effect.fn("ErasureRecords.read")(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(
    fs.readFileString(file),
    ({ message }) => new ErasuresUnreadable({ file, problem: message })
  )
  const lines = text.split("\n")
  // A file that was cut off in the middle of a line would lack the erasures after it.
  if (lines.pop() !== "") {
    return yield* new ErasuresUnreadable({ file, problem: "its last line is not whole" })
  }
  return yield* Effect.forEach(lines, (line, index) =>
    Effect.mapError(
      decodeLine(line),
      ({ message }) => new ErasuresUnreadable({ file, problem: `line ${index + 1}: ${message}` })
    )
  )
})

/**
 * Fails where the database lacks an erasure of `ERASURES_FILE`, if that is given: persons whose data were
 * erased would be in it again.
 */
export const guard = Effect.gen(function* () {
  const given = yield* Config.option(Config.String("ERASURES_FILE"))
  if (Option.isNone(given)) return
  const records = yield* ErasureRecords
  const missing = yield* records.missing(yield* read(given.value))
  if (missing > 0) return yield* new ErasuresMissing({ file: given.value, missing })
}).pipe(Effect.withSpan("ErasureRecords.guard"))

/** Is built before whatever it is provided to: nothing is served or worked on without it. */
export const layerGuard = Layer.effectDiscard(guard).pipe(Layer.provide(ErasureRecords.layer))
