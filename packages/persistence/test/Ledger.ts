/** Two tables as the product has them, for tests that attack them: books of a tenant, and their lines. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as TenantTable from "../src/sql/TenantTable.ts"
import { TenantSql } from "../src/sql/TenantSql.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

export const acme = TenantId.make("acme")
export const globex = TenantId.make("globex")

/** Each has the books b1 to b9 with two lines each; globex has `g1` besides. */
export const tenants = [acme, globex]

const create = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE book (
      tenant_id text COLLATE "C" NOT NULL,
      id        text COLLATE "C" NOT NULL,
      amount    int              NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )
  `
  yield* sql`
    CREATE TABLE line (
      tenant_id text COLLATE "C" NOT NULL,
      book_id   text COLLATE "C" NOT NULL,
      number    int              NOT NULL,
      note      jsonb            NOT NULL DEFAULT '{}',
      PRIMARY KEY (tenant_id, book_id, number),
      FOREIGN KEY (tenant_id, book_id) REFERENCES book
    )
  `
  yield* TenantTable.protect("book", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* TenantTable.protect("line", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* sql`CREATE VIEW book_of_owner AS SELECT * FROM book`
  yield* sql`CREATE VIEW book_of_caller WITH (security_invoker = true) AS SELECT * FROM book`
  yield* sql`
    CREATE FUNCTION books_of_owner() RETURNS SETOF book LANGUAGE sql SECURITY DEFINER
    AS 'SELECT * FROM book'
  `
  yield* sql`GRANT SELECT, UPDATE ON book_of_owner, book_of_caller TO quittance_runtime`
})

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  const tenant = yield* CurrentTenant
  yield* tenantSql.write(sql`
    INSERT INTO book SELECT ${tenant}, 'b' || n, n * 10 FROM generate_series(1, 9) n
  `)
  yield* tenantSql.write(sql`
    INSERT INTO line SELECT ${tenant}, 'b' || n, k FROM generate_series(1, 9) n, generate_series(1, 2) k
  `)
  if (tenant === globex) {
    yield* tenantSql.write(sql`INSERT INTO book VALUES (${tenant}, 'g1', 777)`)
    yield* tenantSql.write(sql`INSERT INTO line VALUES (${tenant}, 'g1', 1)`)
  }
})

/** A database with the ledger of both tenants, connected as the runtime role. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const tenantSql = yield* TenantSql
    yield* Effect.provideServiceEffect(create, SqlClient.SqlClient, PgTest.OwnerSql)
    yield* Effect.forEach(tenants, (tenant) =>
      Effect.provideService(tenantSql.transaction(fill), CurrentTenant, tenant)
    )
    const superuser = yield* PgTest.SuperuserSql
    yield* superuser`ANALYZE book, line`
  })
).pipe(Layer.provideMerge(PgTest.layer))

/** Runs an effect as a tenant. */
export const as = (tenant: TenantId) => Effect.provideService(CurrentTenant, tenant)
