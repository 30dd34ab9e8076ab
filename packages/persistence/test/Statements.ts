/** The statements that repositories execute, noted on their way, so that their plans can be looked at. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { TenantSql } from "../src/sql/TenantSql.ts"

/** What has been executed; who wants to look at one use alone empties it before. */
export class Statements extends Context.Service<Statements, Array<Statement.Fragment>>()(
  "test/Statements"
) {
  static readonly layer = Layer.sync(Statements, () => [])
}

/** What repositories work with, each of their statements noted. */
export const Recording = Layer.effect(
  TenantSql,
  Effect.gen(function* () {
    const tenantSql = yield* TenantSql
    const statements = yield* Statements
    const noted = <A extends object>(statement: Statement.Statement<A>) => {
      statements.push(statement)
      return statement
    }
    return TenantSql.of({
      ...tenantSql,
      read: (statement) => tenantSql.read(noted(statement)),
      write: (statement) => tenantSql.write(noted(statement)),
      unscoped: (table, statement) => tenantSql.unscoped(table, noted(statement))
    })
  })
)
