/** `quittance billing reconcile` as a process, on books that were tampered with. */
import { assert, layer } from "@effect/vitest"
import { Database } from "@quittance/persistence/sql/Database"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Redacted } from "effect"
import { spawnSync } from "node:child_process"
import * as Contracts from "../../../packages/operations/test/SoldPolicies.ts"
import * as World from "../../../packages/operations/test/World.ts"

const main = new URL("../src/main.ts", import.meta.url).pathname

/** A policy with invoices, and its books as the command finds them. */
const books = Effect.gen(function* () {
  const { url } = yield* Database
  const world = yield* World.make()
  const { policyId } = yield* Contracts.signed(world)
  yield* Contracts.moveTo(world, "2026-06-15T12:00:00Z")
  const reconcile = Effect.sync(() => {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ["--conditions=@quittance/source", main, "billing", "reconcile", "--tenant", world.tenant],
      {
        encoding: "utf8",
        env: { PATH: process.env["PATH"], DATABASE_URL: Redacted.value(url), NO_COLOR: "1" }
      }
    )
    return { status, stderr, lines: stdout.trimEnd().split("\n") }
  })
  return { world, policyId, reconcile }
})

/** Tampering bypasses triggers and checks. */
const tamper = Effect.fnUntraced(function* (table: "entry" | "receivable", statement: string) {
  const superuser = yield* SuperuserSql
  const checks = yield* superuser<{ readonly name: string }>`
    SELECT conname AS name FROM pg_constraint
    WHERE conrelid = ${table}::text::regclass AND contype = 'c'
  `
  for (const { name } of checks) {
    yield* superuser`ALTER TABLE ${superuser(table)} DROP CONSTRAINT ${superuser(name)}`
  }
  yield* superuser.withTransaction(
    Effect.gen(function* () {
      yield* superuser`SET LOCAL session_replication_role = replica`
      yield* superuser.unsafe(statement)
    })
  )
})

layer(Contracts.layer, { excludeTestServices: true })("quittance billing reconcile", (it) => {
  it.effect("ends with 0 where the books agree", () =>
    Effect.gen(function* () {
      const { reconcile } = yield* books
      const { lines, status, stderr } = yield* reconcile
      assert.deepStrictEqual([status, stderr], [0, ""])
      assert.match(lines.join("\n"), /^agree {5}1 policy with 3 entries$/u)
    })
  )

  it.effect("ends with 1 and tells a posting that was tampered with", () =>
    Effect.gen(function* () {
      const { policyId, reconcile, world } = yield* books
      yield* tamper(
        "entry",
        `UPDATE entry SET amounts = ARRAY(SELECT a * 2 FROM unnest(amounts) a)
          WHERE ctid = (SELECT min(ctid) FROM entry WHERE tenant_id = '${world.tenant}')`
      )
      const { lines, status } = yield* reconcile
      assert.strictEqual(status, 1)
      assert.match(lines[0]!, /^differs {3}\S+.*, (receivable|premium|fee|tax)/u)
      assert.strictEqual(lines[1], `policy    ${policyId}`)
      assert.match(lines[2]!, /^expected {2}-?\d+$/u)
      assert.match(lines[3]!, /^found {5}-?\d+$/u)
    })
  )

  it.effect("ends with 1 and tells a row of the summary that was tampered with", () =>
    Effect.gen(function* () {
      const { policyId, reconcile, world } = yield* books
      yield* tamper(
        "receivable",
        `UPDATE receivable SET unpaid_count = unpaid_count + 1 WHERE tenant_id = '${world.tenant}'`
      )
      const { lines, status } = yield* reconcile
      assert.strictEqual(status, 1)
      assert.include(lines[0], "unpaid_count")
      assert.deepStrictEqual(lines.slice(1, 4), [
        `policy    ${policyId}`,
        "expected  3",
        "found     4"
      ])
    })
  )
})
