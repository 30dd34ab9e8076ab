/** Lists of asset freezes, and the names on them that share a word with another name. */
import type { LoadedList, ScreeningList } from "@quittance/domain/payouts/Screening"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** A name on a list. */
export interface ListedName {
  readonly entryId: string
  readonly name: string
}

/** A list with the words of each of its names. */
export interface NewList extends Pick<ScreeningList, "version"> {
  readonly entries: number
  readonly names: ReadonlyArray<ListedName & { readonly words: ReadonlyArray<string> }>
}

export class ScreeningRepo extends Context.Service<
  ScreeningRepo,
  {
    /** Adds a list, which counts from now on; `false` where that version is there already. */
    load(list: NewList, at: Instant): Effect.Effect<boolean, never, CurrentTenant>
    /** The list that counts: the one that was loaded last. */
    readonly current: Effect.Effect<LoadedList | undefined, never, CurrentTenant>
    /** The names of a list that have one of the words. */
    candidates(
      version: string,
      words: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyArray<ListedName>, never, CurrentTenant>
  }
>()("@quittance/persistence/ScreeningRepo") {
  static readonly layer = Layer.effect(
    ScreeningRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const load = Effect.fn("ScreeningRepo.load")(function* (list: NewList, at: Instant) {
        const tenantId = yield* CurrentTenant
        const { entries, names, version } = list
        const row = { tenantId, version, entries, loadedAt: toDate(at) }
        const added = yield* tenantSql.write(sql`
          INSERT INTO screening_list ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING version
        `)
        if (added.length === 0) return false
        yield* tenantSql.write(sql`
          INSERT INTO screening_name (tenant_id, version, name_number, entry_id, name)
          SELECT ${tenantId}, ${version}, n.number, n.entry_id, n.name
          FROM unnest(${names.map((_, index) => index)}::int[],
            ${names.map(({ entryId }) => entryId)}::text[],
            ${names.map(({ name }) => name)}::text[]) AS n (number, entry_id, name)
        `)
        const pairs = names.flatMap(({ words }, index) => words.map((word) => ({ word, index })))
        yield* tenantSql.write(sql`
          INSERT INTO screening_word (tenant_id, version, word, name_number)
          SELECT ${tenantId}, ${version}, w.word, w.number
          FROM unnest(${pairs.map(({ word }) => word)}::text[],
            ${pairs.map(({ index }) => index)}::int[]) AS w (word, number)
        `)
        return true
      }, Effect.orDie)

      const current = Effect.gen(function* () {
        const [row] = yield* tenantSql.read(sql<LoadedList>`
          SELECT version, entries FROM screening_list WHERE tenant_id = ${yield* CurrentTenant}
          ORDER BY loaded_at DESC, version DESC LIMIT 1
        `)
        return row
      }).pipe(Effect.orDie, Effect.withSpan("ScreeningRepo.current"))

      const candidates = Effect.fn("ScreeningRepo.candidates")(function* (
        version: string,
        words: ReadonlyArray<string>
      ) {
        return yield* tenantSql.read(sql<ListedName>`
          SELECT DISTINCT n.entry_id, n.name FROM screening_word w
          JOIN screening_name n ON n.tenant_id = w.tenant_id AND n.version = w.version
            AND n.name_number = w.name_number
          WHERE w.tenant_id = ${yield* CurrentTenant} AND w.version = ${version}
            AND w.word = ANY (${[...words]})
          ORDER BY n.entry_id, n.name
        `)
      }, Effect.orDie)

      return ScreeningRepo.of({ load, current, candidates })
    })
  )
}
