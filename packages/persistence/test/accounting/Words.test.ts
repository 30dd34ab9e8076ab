/** What words find, compared with a full read that folds the text by itself. */
import { assert, layer } from "@effect/vitest"
import type { Coverage } from "@quittance/auth/Grants"
import type { Instant } from "@quittance/domain/values/Instant"
import { alphabet, suffixLength } from "@quittance/domain/values/PrefixedId"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CustomerListRepo } from "../../src/customers/CustomerListRepo.ts"
import { PolicyListRepo } from "../../src/policies/PolicyListRepo.ts"
import { ReceivablesRepo } from "../../src/accounting/ReceivablesRepo.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { TenantsRepo } from "../../src/tenants/TenantsRepo.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { inTenant, inTransaction } from "../People.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = Layer.mergeAll(
  CustomerListRepo.layer,
  PolicyListRepo.layer,
  ReceivablesRepo.layer,
  TenantsRepo.layer
).pipe(Layer.provideMerge(PgTest.layer))

/** The same numbers in each run. */
const generator = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
type Random = ReturnType<typeof generator>

const pieces = [
  ..."aAbé",
  ..."ÈœßøŁ",
  ..."iz019",
  "\u0301",
  ..."日ж",
  "test",
  "Pol",
  "custom",
  "mar",
  "x".repeat(45),
  ..."-.'@_%\\/",
  " ",
  " ",
  " ",
  "\t"
]
const text = (random: Random, most: number) =>
  Array.from({ length: random(most) }, () => pieces[random(pieces.length)]).join("")

const ligatures: Readonly<Record<string, string>> = { œ: "oe", ß: "ss", ø: "o", ł: "l" }
const folded = (value: string) =>
  value
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/gu, "")
    .toLowerCase()
    .replace(/[œßøł]/gu, (letter) => ligatures[letter]!)
const wordsOf = (value: string) => folded(value).split(/\s+/u).filter(Boolean)
const reads = (texts: ReadonlyArray<string | null>, typed: string) => {
  const words = texts.flatMap((value) => wordsOf(value ?? ""))
  const parts = words.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u))
  return wordsOf(typed).every((typed) =>
    [...words, ...parts].some((word) => word.startsWith(typed))
  )
}

interface Named {
  readonly id: string
  readonly texts: ReadonlyArray<string | null>
}

const idsOf = (named: ReadonlyArray<Named>) => named.map(({ id }) => id).sort()

const idOf = (kind: string, n: number) =>
  `${kind}_test_${Array.from({ length: suffixLength }, (_, at) => alphabet[(n * (at + 7)) % alphabet.length]).join("")}`

const put = Effect.fnUntraced(function* (random: Random, count: number) {
  const sql = yield* SqlClient.SqlClient
  const { write } = yield* TenantSql
  const tenantId = yield* CurrentTenant
  yield* write(sql`
    INSERT INTO product_version (tenant_id, product_id, version, seq, definition, published_at)
    VALUES (${tenantId}, 'motor', '1', 1, '{}', now())
  `)
  const policies: Array<Named> = []
  const customers: Array<Named> = []
  for (let n = 1; n <= count; n++) {
    const [id, customerId] = [idOf("policy", n), idOf("customer", n)]
    const [name, email, title] = [text(random, 12), text(random, 9), text(random, 12)]
    const externalId = random(3) === 0 ? null : `${text(random, 5)}${n}`
    yield* write(sql`
      INSERT INTO policy (tenant_id, id, incremental_id, product_id, product_version, type,
        default_branch_id, change_seq, event_seq, status, name, external_id, created_at, started_at,
        last_modified_at)
      VALUES (${tenantId}, ${id}, ${n}, 'motor', '1', 'INDIVIDUAL', 'base', 1, 1, 'POLICY_STARTED',
        ${title}, ${externalId}, now(), now(), now())
    `)
    yield* write(sql`
      INSERT INTO customer (tenant_id, id, type, name, email, status, payment_mode, created_at,
        last_modified_at)
      VALUES (${tenantId}, ${customerId}, 'INDIVIDUAL', ${name}, ${email}, 'CUSTOMER_CREATED',
        'DIRECT_DEBIT', now(), now())
    `)
    yield* write(sql`
      INSERT INTO customer_policy (tenant_id, customer_id, policy_id, linked_at)
      VALUES (${tenantId}, ${customerId}, ${id}, now())
    `)
    policies.push({ id, texts: [id, externalId, String(n), title] })
    customers.push({ id: customerId, texts: [customerId, name, email] })
  }
  yield* write(sql`
    INSERT INTO receivable (tenant_id, policy_id, customer_id, product_id, time_zone, status,
      customer_name, policy_created_at, search, unpaid_count, oldest_issued_at, unpaid_issued_at)
    SELECT ${tenantId}, p.id, c.id, 'motor', 'Europe/Paris', p.status, c.name, p.created_at,
      p.search || c.search, 1, p.created_at, ARRAY[p.created_at]
    FROM policy p JOIN customer c ON c.id = replace(p.id, 'policy', 'customer')
  `)
  return { customers, policies }
})

/** What a user types: beginnings of existing words, and anything else. */
const typed = (random: Random, named: ReadonlyArray<Named>) =>
  Array.from({ length: 1 + random(2) }, () => {
    const { texts } = named[random(named.length)]!
    const words = texts.flatMap((value) => (value ?? "").split(/\s+/u))
    const word = words[random(words.length)]!
    const begin = random(4) === 0 ? random(word.length + 1) : 0
    const points = Array.from(word.slice(begin))
    const whole = random(3) === 0 ? text(random, 4) : points.slice(0, 1 + random(8)).join("")
    return random(2) === 0 ? whole.toUpperCase() : whole
  }).join(" ")

const tenantWide: Coverage = { _tag: "Tenant" }
const someOf = (random: Random, policies: ReadonlyArray<Named>): Coverage =>
  random(2) === 0
    ? tenantWide
    : { _tag: "Records", firmIds: [], recordIds: idsOf(policies.filter(() => random(3) === 0)) }
const page = { count: 100, page: 1 }

const found = Effect.fnUntraced(function* (words: string, coverage = tenantWide) {
  const customerList = yield* CustomerListRepo
  const listings = yield* PolicyListRepo
  const receivables = yield* ReceivablesRepo
  const filter = { words }
  const policies = yield* listings.policies({
    coverage,
    filter,
    order: { by: "createdAt", direction: "ASC" },
    page
  })
  const customers = yield* customerList.customers({ coverage, filter, page })
  const owing = yield* receivables.list({
    coverage,
    filter,
    now: "2026-06-01T00:00:00.000Z" as Instant,
    order: { by: "oldestUnpaidInvoiceIssuedAt", direction: "ASC" },
    page
  })
  assert.strictEqual(policies.total, policies.ids.length)
  assert.strictEqual(customers.total, customers.ids.length)
  assert.strictEqual(owing.total, owing.rows.length)
  return {
    policies: [...policies.ids].sort(),
    customers: [...customers.ids].sort(),
    receivables: owing.rows.map(({ policyId }) => policyId).sort()
  }
})

/** Rows of an index that are not those of what is indexed, on either side. */
const strays = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { read } = yield* TenantSql
  const kinds = ["policy", "customer"]
  const differing = yield* Effect.forEach(kinds, (kind) =>
    read(sql`
      WITH kept AS (SELECT word, ${sql(`${kind}_id`)} AS id FROM ${sql(`${kind}_word`)}),
        right_ones AS (
          SELECT part, id FROM ${sql(kind)}, search_parts(search) AS part
          WHERE part <> ALL (search_common()))
      (SELECT * FROM kept EXCEPT SELECT * FROM right_ones) UNION ALL
      (SELECT * FROM right_ones EXCEPT SELECT * FROM kept)
    `)
  )
  return differing.flat()
})

layer(Live, { excludeTestServices: true })("words that are typed", (it) => {
  it.effect.each([1, 2, 3])("find what a reader of everything finds: %s", (seed) =>
    inTenant(
      Effect.gen(function* () {
        const random = generator(seed)
        const { customers, policies } = yield* inTransaction(put(random, 40))
        assert.deepStrictEqual(yield* strays, [])
        let hits = 0
        for (let round = 0; round < 120; round++) {
          const words = typed(random, [...policies, ...customers])
          const coverage = someOf(random, policies)
          const sees = ({ id }: Named) =>
            coverage._tag === "Tenant" || coverage.recordIds.includes(id)
          const pairs = policies
            .map((policy, n) => ({ policy, customer: customers[n]! }))
            .filter(({ policy }) => sees(policy))
          const right = {
            policies: idsOf(
              pairs.map(({ policy }) => policy).filter(({ texts }) => reads(texts, words))
            ),
            customers: idsOf(
              pairs.map(({ customer }) => customer).filter(({ texts }) => reads(texts, words))
            ),
            receivables: pairs
              .filter(({ customer, policy }) => reads([...policy.texts, ...customer.texts], words))
              .map(({ policy }) => policy.id)
              .sort()
          }
          assert.deepStrictEqual(yield* found(words, coverage), right, JSON.stringify(words))
          if (right.receivables.length > 0 && right.receivables.length < policies.length) hits++
        }
        // Else nothing much was asked.
        assert.isAbove(hits, 40)
      })
    )
  )

  it.effect("find a record by its new words as soon as it has them, and no more by its old", () =>
    inTenant(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { write } = yield* TenantSql
        const tenantId = yield* CurrentTenant
        yield* inTransaction(put(generator(4), 3))
        const [policyId, customerId] = [idOf("policy", 2), idOf("customer", 2)]
        const random = generator(5)
        // No index takes a text of this length.
        const long = Array.from({ length: 9_000 }, () => alphabet[random(alphabet.length)]).join("")
        const rename = inTransaction(
          Effect.all([
            write(sql`
              UPDATE policy SET name = ${`Flotte Légère ${long}`}, external_id = 'CRM-77'
              WHERE tenant_id = ${tenantId} AND id = ${policyId}
            `),
            write(sql`
              UPDATE customer SET name = 'Éloïse Martin', email = 'e.martin@cafe.example'
              WHERE tenant_id = ${tenantId} AND id = ${customerId}
            `)
          ])
        )
        yield* rename
        assert.deepStrictEqual(yield* strays, [])
        assert.deepStrictEqual((yield* found("crm-7 LEG")).policies, [policyId])
        assert.deepStrictEqual((yield* found(long.slice(0, 50))).policies, [policyId])
        assert.deepStrictEqual((yield* found("eloise e.mart")).customers, [customerId])
        yield* rename
        assert.deepStrictEqual(yield* strays, [])
        const forget = write(sql`
          UPDATE customer SET name = NULL, email = NULL
          WHERE tenant_id = ${tenantId} AND id = ${customerId}
        `)
        yield* inTransaction(forget)
        assert.deepStrictEqual(yield* strays, [])
        assert.deepStrictEqual((yield* found("eloise")).customers, [])
      })
    )
  )

  it.effect("are not rewritten where a policy changes in anything else", () =>
    inTenant(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { read, write } = yield* TenantSql
        const tenantId = yield* CurrentTenant
        yield* inTransaction(put(generator(6), 3))
        const rows = read(sql`SELECT xmin::text, ctid::text, word FROM policy_word ORDER BY word`)
        const before = yield* rows
        assert.isNotEmpty(before)
        const change = write(sql`
          UPDATE policy SET status = 'POLICY_STOPPED', name = name WHERE tenant_id = ${tenantId}
        `)
        yield* inTransaction(change)
        assert.deepStrictEqual(yield* rows, before)
      })
    )
  )
})
