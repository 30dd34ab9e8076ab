/** What an attacker with all rights in the database can do to a trail, and what is detected. */
import { assert, layer } from "@effect/vitest"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import * as AuditChain from "../../src/audit/AuditChain.ts"
import type { Verified } from "../../src/audit/AuditVerification.ts"
import * as Trails from "../Trails.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const { inNewTenant, record, rows, seal, sixRows, tamper, transaction, verify } = Trails

/** What is found, in short: kind, position, and how many rows before are sound. */
const found = ({ faults, sound }: Verified) =>
  faults.map(({ kind, position }) => `${kind} ${position ?? "-"} after ${sound}`)

const foundNow = Effect.map(verify(), found)

/** Six sealed rows that stood the test, then tampered with, and what is found then. */
const afterTampering = (statements: Parameters<typeof tamper>[0]) =>
  inNewTenant(
    Effect.gen(function* () {
      yield* sixRows
      assert.deepStrictEqual(yield* foundNow, [])
      yield* tamper(statements)
      return yield* foundNow
    })
  )

const changes: ReadonlyArray<readonly [string, string]> = [
  ["recorded_at", "recorded_at + interval '1 microsecond'"],
  ["recorded_at", "'infinity'"],
  ["recorded_at", "recorded_at - interval '4100 years'"],
  ["id", "id || 'x'"],
  ["business_at", "business_at - interval '1 microsecond'"],
  ["actor_kind", "'JOB'"],
  ["actor_id", "'user_2'"],
  ["action", "'thing.read'"],
  ["record_id", "'r9'"],
  ["request_id", "''"],
  ["outcome", "'REFUSED'"],
  ["detail", "detail || jsonb_build_object('after', repeat('0', 64))"],
  ["detail", "detail - 'before'"],
  ["detail", "detail || jsonb_build_object('more', 'x')"],
  ["detail", "detail || jsonb_build_object('changeIds', 1)"],
  ["detail", "'null'"],
  ["hash", "sha256('x')"],
  ["sealed_at", "sealed_at + interval '1 microsecond'"]
]

layer(Trails.layer, { excludeTestServices: true })("a trail that is tampered with", (it) => {
  it.effect.each(changes)("gives away a row whose %s became %s", ([column, value]) =>
    Effect.gen(function* () {
      const seen = yield* afterTampering((sql, tenant) => [
        sql`
          UPDATE audit SET ${sql(column)} = ${sql.literal(value)}
          WHERE tenant_id = ${tenant} AND position = 3
        `
      ])
      assert.strictEqual(seen[0], "CHANGED 3 after 2")
    })
  )

  it.effect("gives away a row that now is another tenant's", () =>
    Effect.gen(function* () {
      const other = yield* inNewTenant(CurrentTenant)
      const seen = yield* afterTampering((sql, tenant) => [
        sql`UPDATE audit SET tenant_id = ${other} WHERE tenant_id = ${tenant} AND position = 3`
      ])
      assert.deepStrictEqual(seen, ["REMOVED 3 after 2"])
      const theirs = yield* Effect.provideService(foundNow, CurrentTenant, other)
      assert.deepStrictEqual(theirs, ["HEAD 1 after 0"])
    })
  )

  it.effect("gives away a whole trail that was copied from another tenant", () =>
    Effect.gen(function* () {
      const other = yield* inNewTenant(Effect.andThen(sixRows, CurrentTenant))
      const seen = yield* inNewTenant(
        Effect.gen(function* () {
          yield* tamper((sql, tenant) => [
            sql`
              INSERT INTO audit SELECT ${tenant}, recorded_at, id, business_at, actor_kind, actor_id,
                action, record_id, request_id, outcome, detail, position, hash, sealed_at
              FROM audit WHERE tenant_id = ${other}
            `,
            sql`
              INSERT INTO audit_head SELECT ${tenant}, position, hash, sealed_at FROM audit_head
              WHERE tenant_id = ${other}
            `
          ])
          return yield* foundNow
        })
      )
      assert.deepStrictEqual(seen, ["CHANGED 1 after 0"])
    })
  )

  it.effect.each([
    [1, "REMOVED 1 after 0"],
    [3, "REMOVED 3 after 2"],
    [6, "REMOVED 6 after 5"]
  ] as const)("gives away that row %i was removed", ([position, expected]) =>
    Effect.gen(function* () {
      const seen = yield* afterTampering((sql, tenant) => [
        sql`DELETE FROM audit WHERE tenant_id = ${tenant} AND position = ${position}`
      ])
      assert.deepStrictEqual(seen, [expected])
    })
  )

  it.effect("gives away that all rows were removed", () =>
    Effect.gen(function* () {
      const seen = yield* afterTampering((sql, tenant) => [
        sql`DELETE FROM audit WHERE tenant_id = ${tenant}`
      ])
      assert.deepStrictEqual(seen, ["REMOVED 1 after 0"])
    })
  )

  it.effect("gives away a removed row whose gap was closed", () =>
    Effect.gen(function* () {
      const seen = yield* afterTampering((sql, tenant) => [
        sql`DELETE FROM audit WHERE tenant_id = ${tenant} AND position = 3`,
        ...[4, 5, 6].map(
          (position) => sql`
            UPDATE audit SET position = position - 1
            WHERE tenant_id = ${tenant} AND position = ${position}
          `
        ),
        sql`UPDATE audit_head SET position = 5 WHERE tenant_id = ${tenant}`
      ])
      assert.deepStrictEqual(seen, ["CHANGED 3 after 2"])
    })
  )

  it.effect("gives away a row that was put in between, the others moved along", () =>
    Effect.gen(function* () {
      const seen = yield* afterTampering((sql, tenant) => [
        ...[6, 5, 4].map(
          (position) => sql`
            UPDATE audit SET position = position + 1
            WHERE tenant_id = ${tenant} AND position = ${position}
          `
        ),
        forgedCopy(sql, tenant, 3, 4),
        sql`UPDATE audit_head SET position = 7 WHERE tenant_id = ${tenant}`
      ])
      assert.deepStrictEqual(seen, ["INSERTED 4 after 3"])
    })
  )

  it.effect("gives away rows that were put in after the last", () =>
    Effect.gen(function* () {
      const seen = yield* afterTampering((sql, tenant) => [forgedCopy(sql, tenant, 6, 7)])
      assert.deepStrictEqual(seen, ["HEAD 7 after 6"])
      const withHead = yield* afterTampering((sql, tenant) => [
        forgedCopy(sql, tenant, 6, 7),
        sql`UPDATE audit_head SET position = 7, hash = sha256('x') WHERE tenant_id = ${tenant}`
      ])
      assert.deepStrictEqual(withHead, ["CHANGED 7 after 6"])
      const farOut = yield* afterTampering((sql, tenant) => [
        forgedCopy(sql, tenant, 6, "9223372036854775807"),
        sql`UPDATE audit_head SET position = 9223372036854775807 WHERE tenant_id = ${tenant}`
      ])
      assert.strictEqual(farOut[0], "REMOVED 7 after 6")
    })
  )

  it.effect(
    "gives away a second row of one position, where the database no longer keeps it out",
    () =>
      Effect.gen(function* () {
        const owner = yield* PgTest.OwnerSql
        // The whole file shares the database, so the index is back before the next test.
        yield* owner`DROP INDEX audit_position`
        const seen = yield* afterTampering((sql, tenant) => [forgedCopy(sql, tenant, 3, 3)])
        // Which of the two the database reads first is its own affair.
        assert.match(seen[0]!, /^(CHANGED 3 after 2|INSERTED 3 after 3)$/u)
        const below = yield* inNewTenant(
          Effect.gen(function* () {
            yield* sixRows
            yield* owner`ALTER TABLE audit DROP CONSTRAINT audit_position_check`
            yield* tamper((sql, tenant) => [forgedCopy(sql, tenant, 3, 0)])
            return yield* foundNow
          })
        )
        assert.deepStrictEqual(below, ["INSERTED 0 after 6"])
        const superuser = yield* PgTest.SuperuserSql
        yield* superuser`SET LOCAL session_replication_role = replica`.pipe(
          Effect.andThen(superuser`DELETE FROM audit WHERE id LIKE 'forged%'`),
          superuser.withTransaction
        )
        yield* owner`
        CREATE UNIQUE INDEX audit_position ON audit (tenant_id, position) WHERE position IS NOT NULL
      `
        yield* owner`ALTER TABLE audit ADD CONSTRAINT audit_position_check CHECK (position > 0)`
      })
  )

  it.effect("gives away two rows that changed places", () =>
    Effect.gen(function* () {
      const swap = (sql: SqlClient.SqlClient, tenant: string, columns: string) => [
        sql`
          CREATE TEMPORARY TABLE swapped ON COMMIT DROP AS
          SELECT * FROM audit WHERE tenant_id = ${tenant} AND position IN (2, 5)
        `,
        sql`DELETE FROM audit WHERE tenant_id = ${tenant} AND position IN (2, 5)`,
        sql`
          INSERT INTO audit SELECT a.tenant_id, a.recorded_at, a.id, a.business_at, a.actor_kind,
            a.actor_id, a.action, a.record_id, a.request_id, a.outcome, a.detail, ${sql.literal(columns)}
          FROM swapped a, swapped b WHERE a.position <> b.position
        `
      ]
      for (const columns of [
        "b.position, a.hash, a.sealed_at",
        "b.position, b.hash, a.sealed_at",
        "b.position, b.hash, b.sealed_at"
      ]) {
        const seen = yield* afterTampering((sql, tenant) => swap(sql, tenant, columns))
        assert.strictEqual(seen[0], "CHANGED 2 after 1", columns)
      }
    })
  )

  it.effect("gives away a seal that was taken off, also once the row has another", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* sixRows
        yield* tamper((sql, tenant) => [
          sql`
            UPDATE audit SET position = NULL, hash = NULL, sealed_at = NULL, action = 'x'
            WHERE tenant_id = ${tenant} AND position = 3
          `,
          sql`INSERT INTO audit_pending VALUES (${tenant}, 'x')`
        ])
        const before = yield* verify()
        assert.deepStrictEqual(found(before), ["REMOVED 3 after 2"])
        assert.strictEqual(before.unsealed.rows, 1)
        yield* seal
        assert.deepStrictEqual(yield* foundNow, ["REMOVED 3 after 2"])
      })
    )
  )

  it.effect("gives away a head that was removed, moved or changed", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* afterTampering((sql, tenant) => [
          sql`DELETE FROM audit_head WHERE tenant_id = ${tenant}`
        ]),
        ["HEAD 1 after 0"]
      )
      assert.deepStrictEqual(
        yield* afterTampering((sql, tenant) => [
          sql`UPDATE audit_head SET hash = sha256('x') WHERE tenant_id = ${tenant}`
        ]),
        ["HEAD 6 after 6"]
      )
      assert.deepStrictEqual(
        yield* afterTampering((sql, tenant) => [
          sql`
            UPDATE audit_head h SET position = 5, hash = a.hash FROM audit a
            WHERE h.tenant_id = ${tenant} AND a.tenant_id = ${tenant} AND a.position = 5
          `
        ]),
        ["HEAD 6 after 5"]
      )
    })
  )

  it.effect("needs an anchor to give away an end that was cut off together with the head", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* sixRows
        const { head } = yield* verify()
        assert.deepStrictEqual(found(yield* verify(head)), [])
        yield* tamper(cutAfter(4))
        assert.deepStrictEqual(yield* foundNow, [])
        assert.deepStrictEqual(found(yield* verify(head)), ["ANCHOR 6 after 4"])
        yield* transaction(record("r7", "r8", "r9"))
        yield* seal
        assert.deepStrictEqual(yield* foundNow, [])
        assert.deepStrictEqual(found(yield* verify(head)), ["ANCHOR 6 after 7"])
      })
    )
  )

  it.effect("needs an anchor to give away a trail that was written anew, by the rules", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* sixRows
        const { head } = yield* verify()
        yield* tamper((sql, tenant) => [
          sql`
            UPDATE audit SET position = NULL, hash = NULL, sealed_at = NULL,
              actor_id = CASE position WHEN 2 THEN 'user_2' ELSE actor_id END
            WHERE tenant_id = ${tenant}
          `,
          sql`DELETE FROM audit_head WHERE tenant_id = ${tenant}`
        ])
        yield* seal
        assert.deepStrictEqual(yield* foundNow, [])
        assert.deepStrictEqual(found(yield* verify(head)), ["ANCHOR 6 after 6"])
      })
    )
  )

  it.effect("proves all up to an anchor, and finds what breaks before it", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* sixRows
        const anchor = { position: 4, hash: (yield* rows)[3]!.hash! }
        yield* transaction(record("r7"))
        yield* seal
        assert.deepStrictEqual(found(yield* verify(anchor)), [])
        yield* tamper((sql, tenant) => [
          sql`UPDATE audit SET actor_id = 'x' WHERE tenant_id = ${tenant} AND position = 2`
        ])
        assert.deepStrictEqual(found(yield* verify(anchor)), [
          "CHANGED 2 after 1",
          "ANCHOR 4 after 1"
        ])
      })
    )
  )

  it.effect(
    "gives away a row of long ago that was put in to be sealed, before and after it is",
    () =>
      inNewTenant(
        Effect.gen(function* () {
          yield* sixRows
          yield* tamper((sql, tenant) => [
            sql`
            INSERT INTO audit SELECT tenant_id, recorded_at - interval '10 minutes', 'forged',
              business_at, actor_kind, 'user_2', action, record_id, request_id, outcome, detail
            FROM audit WHERE tenant_id = ${tenant} AND position = 2
          `,
            sql`INSERT INTO audit_pending VALUES (${tenant}, 'forged')`
          ])
          assert.deepStrictEqual(yield* foundNow, ["LATE - after 6"])
          yield* seal
          const sealed = yield* verify()
          assert.deepStrictEqual(found(sealed), ["LATE 7 after 7"])
          // The chain itself holds: its head is worth keeping.
          assert.strictEqual(sealed.head?.position, 7)
        })
      )
  )

  it.effect("finds rows that nothing waits for any more", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* sixRows
        yield* transaction(record("r7"))
        yield* tamper((sql, tenant) => [sql`DELETE FROM audit_pending WHERE tenant_id = ${tenant}`])
        yield* seal
        const { head, unsealed } = yield* verify()
        assert.deepStrictEqual([head?.position, unsealed.rows], [7, 0])
      })
    )
  )
})

layer(Trails.layer, { excludeTestServices: true })("a trail as it should be", (it) => {
  it.effect("may be empty, and has no end then", () =>
    inNewTenant(
      Effect.gen(function* () {
        const { head, ...verified } = yield* verify()
        assert.isUndefined(head)
        assert.deepStrictEqual(verified, {
          sound: 0,
          unsealed: { rows: 0, oldest: undefined },
          faults: []
        })
        const anchor = { position: 1, hash: "0".repeat(64) }
        assert.deepStrictEqual(found(yield* verify(anchor)), ["ANCHOR 1 after 0"])
      })
    )
  )

  it.effect("tells how many rows wait to be sealed, and since when", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* sixRows
        yield* transaction(record("r7"))
        yield* transaction(record("r8"))
        const { faults, head, unsealed } = yield* verify()
        assert.deepStrictEqual([faults, head?.position, unsealed.rows], [[], 6, 2])
        assert.isNotNaN(Date.parse(unsealed.oldest!))
      })
    )
  )

  it.effect("is verified over many batches, and found broken in any of them", () =>
    inNewTenant(
      Effect.gen(function* () {
        const many = Array.from({ length: 4_500 }, (_, index) => `r${index}`)
        yield* transaction(record(...many))
        yield* seal
        const { faults, head, sound } = yield* verify()
        assert.deepStrictEqual([faults, head?.position, sound], [[], 4_500, 4_500])
        yield* tamper((sql, tenant) => [
          sql`DELETE FROM audit WHERE tenant_id = ${tenant} AND position > 4200`
        ])
        assert.deepStrictEqual(yield* foundNow, ["REMOVED 4201 after 4200"])
        for (const position of [4_200, 4_001, 4_000, 2_001, 2_000]) {
          yield* tamper((sql, tenant) => [
            sql`
              UPDATE audit SET actor_id = 'x' WHERE tenant_id = ${tenant} AND position = ${position}
            `
          ])
          assert.deepStrictEqual(yield* foundNow, [`CHANGED ${position} after ${position - 1}`])
        }
      })
    )
  )

  it.effect("hashes its first row as it is written down", () =>
    inNewTenant(
      Effect.gen(function* () {
        const tenant = yield* CurrentTenant
        const row = {
          id: "audit_entry_1",
          recordedAt: "1774000000.123456",
          businessAt: "1774000000.123000",
          actorKind: "USER",
          actorId: "user_1",
          action: "policy.sign",
          recordId: "policy_1",
          requestId: "request_1",
          outcome: "DONE",
          detail: { after: "00", changeIds: ["change_1"] }
        }
        const written =
          `{"action":"policy.sign","actorId":"user_1","actorKind":"USER",` +
          `"businessAt":"1774000000.123000","detail":{"after":"00","changeIds":["change_1"]},` +
          `"id":"audit_entry_1","outcome":"DONE","position":1,"recordId":"policy_1",` +
          `"recordedAt":"1774000000.123456","requestId":"request_1",` +
          `"sealedAt":"1774000001.000000","tenant":"${tenant}"}`
        const sql = yield* PgTest.SuperuserSql
        const [expected] = yield* sql<{ readonly hash: string }>`
          SELECT encode(sha256(decode(repeat('00', 32), 'hex') || convert_to(${written}, 'UTF8')), 'hex')
            AS hash
        `
        assert.strictEqual(
          AuditChain.hashOf(tenant, AuditChain.origin.hash, row, {
            position: 1,
            sealedAt: "1774000001.000000"
          }),
          expected!.hash
        )
      })
    )
  )
})

/** A row like another one, at a position of its own. */
const forgedCopy = (
  sql: SqlClient.SqlClient,
  tenant: string,
  of: number,
  position: number | string
): Statement.Statement<object> => sql`
  INSERT INTO audit SELECT tenant_id, recorded_at, 'forged', business_at, actor_kind, 'user_2', action,
    record_id, request_id, outcome, detail, ${sql.literal(String(position))}, hash, sealed_at
  FROM audit WHERE tenant_id = ${tenant} AND position = ${of}
`

/** Takes away what is after a position, and has the head end there. */
const cutAfter =
  (position: number): Parameters<typeof tamper>[0] =>
  (sql, tenant) => [
    sql`DELETE FROM audit WHERE tenant_id = ${tenant} AND position > ${position}`,
    sql`
      UPDATE audit_head h SET position = a.position, hash = a.hash FROM audit a
      WHERE h.tenant_id = ${tenant} AND a.tenant_id = ${tenant} AND a.position = ${position}
    `
  ]
