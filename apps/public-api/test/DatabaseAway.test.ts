/** The database restarts, or its disk is full: what is answered meanwhile, and that it is over then. */
import { assert, layer } from "@effect/vitest"
import * as Cluster from "@quittance/embedded-postgres/Cluster"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Fiber, Ref } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { inject } from "vitest"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { prepared, send, signature, signed } from "./Sales.ts"

interface Seen {
  readonly what: string
  readonly status: number
  readonly code: string
  readonly retryAfter: string | undefined
}

const noted = (what: string, answer: Effect.Success<ReturnType<typeof call>>): Seen => ({
  what,
  status: answer.status,
  code: String(answer.body?.code),
  retryAfter: answer.header("retry-after")
})

/** Nothing is wrong but that the service can't work, and it says when to come back. */
const assertAway = ({ code, retryAfter, status, what }: Seen) => {
  assert.deepStrictEqual([what, status, code], [what, 503, "NOT_READY"])
  assert.match(retryAfter ?? "", /^\d+$/u)
}

/** The database of this test by name. */
const databaseName = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  const [row] = yield* sql<{ readonly name: string }>`SELECT current_database() AS name`
  return row!.name
})

/** Runs an effect beside the database, on the maintenance database of its server. */
const beside = (
  effect: (name: string) => Effect.Effect<unknown, SqlError.SqlError, SqlClient.SqlClient>
) => Effect.flatMap(databaseName, (name) => Cluster.asSuperuser(inject("postgres"), effect(name)))

/** Refuses connections and ends every session but ours, as a restart does. */
const shutDown = beside(
  Effect.fnUntraced(function* (name) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`ALTER DATABASE ${sql(name)} ALLOW_CONNECTIONS false`
    yield* sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = ${name} AND usename <> session_user
    `
  })
)

const startUp = beside(
  Effect.fnUntraced(function* (name) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`ALTER DATABASE ${sql(name)} ALLOW_CONNECTIONS true`
  })
)

/** From now on every statement that writes fails as it does on a full disk, or on a copy. */
const refuseWrites = Effect.fnUntraced(function* (code: string) {
  const sql = yield* SuperuserSql
  yield* sql.unsafe(`
    CREATE OR REPLACE FUNCTION take_no_write() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '${code}'; END $$
  `)
  yield* sql.unsafe(`
    DO $$ DECLARE r record; BEGIN
      FOR r IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('CREATE OR REPLACE TRIGGER take_no_write BEFORE INSERT OR UPDATE OR DELETE '
          'ON %I EXECUTE FUNCTION take_no_write()', r.tablename);
      END LOOP; END $$
  `)
})

const takeWrites = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  yield* sql.unsafe("DROP FUNCTION IF EXISTS take_no_write CASCADE")
})

/** Whatever a visitor asks for again and again. */
const requests = (world: World, policyId: string) => {
  const { session: token, tenant } = world
  const body = { productId: "motor-fr" }
  return [
    ["read", call(`/policies/${policyId}`, { tenant, token })],
    ["view", call(`/policies/${policyId}?whenAt=2026-06-10T09:00:00Z`, { tenant, token })],
    ["list", call("/policies", { tenant, token })],
    [
      "rename",
      call(`/policies/${policyId}`, { tenant, token, method: "PATCH", body: { name: "x" } })
    ],
    ["create", call("/policies", { tenant, token, body })],
    [
      "create once",
      Effect.suspend(() =>
        call("/policies", { tenant, token, body, headers: { "idempotency-key": randomUUID() } })
      )
    ]
  ] as const
}

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("without its database", (it) => {
  it.effect("the service says so while it restarts under load, and then goes on", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* prepared(world, world.session)
      const seen: Array<Seen> = []
      let onNoted = () => {}
      const going = yield* Ref.make(true)
      const visitors = yield* Effect.forEach(requests(world, policyId), ([what, request]) =>
        Effect.gen(function* () {
          while (yield* Ref.get(going)) {
            seen.push(noted(what, yield* request))
            onNoted()
          }
        }).pipe(Effect.forkChild)
      )
      /** Waits until every kind of request has been answered so from now on. */
      const all = (isWanted: (one: Seen) => boolean) =>
        Effect.promise(async () => {
          const lacking = new Set<string>(requests(world, policyId).map(([what]) => what))
          let from = seen.length
          while (lacking.size > 0) {
            await new Promise<void>((resolve) => {
              onNoted = resolve
            })
            for (const one of seen.slice(from)) if (isWanted(one)) lacking.delete(one.what)
            from = seen.length
          }
        })
      for (let restart = 0; restart < 3; restart++) {
        yield* all(({ status }) => status < 300)
        yield* shutDown
        yield* all(({ status }) => status >= 500)
        yield* startUp
      }
      yield* all(({ status }) => status < 300)
      yield* Ref.set(going, false)
      yield* Effect.forEach(visitors, Fiber.join)
      for (const one of seen) if (one.status >= 300) assertAway(one)
    }).pipe(Effect.ensuring(Effect.orDie(startUp)))
  )

  for (const code of ["53100", "25006"]) {
    it.effect(
      `what needs no write goes on while none is taken (${code}), and nothing is lost`,
      () =>
        Effect.gen(function* () {
          const world = yield* newTenant
          const { policyId } = yield* signed(world, world.session)
          const { session: token, tenant } = world
          const fresh = yield* prepared(world, world.session)
          const create = call("/policies", {
            tenant,
            token,
            body: { productId: "motor-fr" },
            headers: { "idempotency-key": "again" }
          })
          yield* refuseWrites(code)
          const reads = [
            `/policies/${policyId}`,
            `/policies/${fresh.policyId}`,
            `/policies/${policyId}?whenAt=2026-06-10T09:00:00Z`,
            `/policies/${policyId}/changes`,
            "/policies",
            `/customers/${fresh.customerId}`,
            `/assets/${fresh.assetId}`,
            `/billing/policies/${policyId}/invoices`,
            "/account"
          ]
          for (const path of reads) {
            const who = path.startsWith("/billing") ? world.manager : token
            const answer = yield* call(path, { tenant, token: who })
            assert.strictEqual(answer.status, 200, `${path}: ${answer.text}`)
          }
          const quote = call(`/policies/${fresh.policyId}/quote`, { tenant, token, body: {} })
          const sign = call(`/policies/${policyId}/sign`, { tenant, token, body: signature })
          for (const [what, write] of Object.entries({ create, quote, sign })) {
            const answer = yield* write
            // What is refused before anything is written is refused as always.
            if (answer.status !== 409) assertAway(noted(what, answer))
          }
          yield* takeWrites
          const first = yield* create
          assert.strictEqual(first.status, 201)
          assert.isUndefined(first.header("idempotency-replayed"))
          yield* send(world, token, `/policies/${fresh.policyId}/quote`, {})
        }).pipe(Effect.ensuring(Effect.orDie(takeWrites)))
    )
  }
})
