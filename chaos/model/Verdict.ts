/** Everything that must be so when the dust has settled; the first thing of each policy that is not. */
import type { Product } from "@quittance/domain/products/Product"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dayOf } from "./Agreement.ts"
import * as Bills from "./Bills.ts"
import * as Charges from "./Charges.ts"
import * as Course from "./Course.ts"
import * as Facts from "./Facts.ts"
import * as Money from "./Money.ts"

export interface Difference {
  readonly tenantId: string
  /** A policy, or what else of the tenant is not as it must be. */
  readonly of: string
  readonly what: string
  /** All that there is of the policy. */
  readonly facts?: Facts.Facts
}

/** What was compared, counted. */
export interface Verdict {
  readonly policies: number
  readonly changes: number
  readonly invoices: number
  readonly lines: number
  readonly entries: number
  readonly payments: number
  readonly notices: number
  readonly returns: number
  readonly refunds: number
  readonly "write-offs": number
  readonly "write-offs reversed by hand": number
  readonly "credits by hand": number
  readonly "charges by themselves": number
  readonly holds: number
  readonly suspensions: number
  readonly stops: number
  readonly renewals: number
  /** By how many days the latest document was late. */
  readonly "days late at most": number
  readonly differences: ReadonlyArray<Difference>
}

export const reach = Effect.fn("Verdict.reach")(function* (products: ReadonlyArray<Product>) {
  const sql = yield* SqlClient.SqlClient
  const [clock] = yield* sql<{ readonly now: string }>`
    SELECT to_json(clock_timestamp()) #>> '{}' AS now
  `
  const facts = yield* Facts.all
  const differences: Array<Difference> = []
  for (const each of facts) {
    const product = products.find(({ productId }) => productId === each.productId)!
    const what = policyDifference(each, product, clock!.now)
    const { policyId, tenantId } = each
    if (what !== undefined) differences.push({ tenantId, of: policyId, what, facts: each })
  }
  const rest = (yield* restDifferences).map((difference) => {
    const own = facts.find(({ policyId }) => policyId === difference.of)
    return own === undefined ? difference : { ...difference, facts: own }
  })
  differences.push(...numberDifferences(facts), ...rest)
  const count = (of: (facts: Facts.Facts) => ReadonlyArray<unknown>) =>
    facts.reduce((sum, each) => sum + of(each).length, 0)
  return {
    policies: facts.length,
    changes: count(({ changes }) => changes),
    invoices: count(({ invoices }) => invoices),
    lines: count(({ invoices }) => invoices.flatMap(({ lines }) => lines)),
    entries: count(({ entries }) => entries),
    payments: count(({ payments }) => payments),
    notices: count(({ notices }) => notices),
    returns: count(({ payments }) => payments.filter(({ returnedAt }) => returnedAt !== null)),
    refunds: count(({ refunds }) => refunds),
    "write-offs": count(({ writeOffs }) => writeOffs),
    "write-offs reversed by hand": count(({ writeOffReversals }) => writeOffReversals),
    "credits by hand": count(({ credits }) => credits),
    "charges by themselves": count(({ invoices }) => invoices.filter(Charges.isCharge)),
    holds: count(({ holds }) => holds),
    suspensions: count(ofKind("SUSPEND")),
    stops: count(ofKind("STOP")),
    renewals: count(({ changes }) =>
      changes.filter(({ patch }) => patch.some(({ path }) => path === "/terms"))
    ),
    "days late at most": Math.max(0, ...facts.flatMap(({ invoices }) => invoices.map(daysLate))),
    differences
  } satisfies Verdict
})

const ofKind =
  (kind: string) =>
  ({ changes }: Facts.Facts) =>
    changes.filter((change) => change.kind === kind)

const daysLate = ({ issuedAt, plannedOn }: Facts.Document): number =>
  Temporal.PlainDate.from(plannedOn).until(dayOf(issuedAt, "UTC")).days

const policyDifference = (
  facts: Facts.Facts,
  product: Product,
  now: string
): string | undefined => {
  const { difference, nextPlanned } = Bills.check(facts, product, now)
  return (
    difference ??
    Charges.check(facts, product) ??
    Money.check(facts) ??
    Course.check(facts, product, now, nextPlanned)
  )
}

/** The numbers of a series are given without a gap, in the order of the days. */
const numberDifferences = (all: ReadonlyArray<Facts.Facts>): ReadonlyArray<Difference> => {
  const invoices = all.flatMap((facts) =>
    facts.invoices.map((invoice) => ({ ...invoice, tenantId: facts.tenantId }))
  )
  return [
    ...Map.groupBy(invoices, ({ series, tenantId }) => `${tenantId} ${series}`).values()
  ].flatMap((given) => {
    const ordered = given.toSorted((a, b) => a.number - b.number)
    const { series, tenantId } = given[0]!
    for (const [index, { issuedAt, number }] of ordered.entries()) {
      if (number !== index + 1) {
        return [{ tenantId, of: series, what: `number ${index + 1} is missing, or there twice` }]
      }
      const before = ordered[index - 1]
      if (before !== undefined && dayOf(before.issuedAt, "UTC") > dayOf(issuedAt, "UTC")) {
        return [{ tenantId, of: series, what: `number ${number} is of a day before ${number - 1}` }]
      }
    }
    return []
  })
}

/** What must not be left behind. */
const restDifferences = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Difference>`
    SELECT tenant_id AS "tenantId", policy_id AS "of", 'it is parked: ' || reason AS what FROM parked
    UNION ALL
    SELECT tenant_id, policy_id, 'an offer of it is parked: ' || (aside ->> 'reason') FROM branch
    WHERE aside IS NOT NULL
    UNION ALL
    -- A sender counts its try first, so that a letter that kills its sender is not tried for ever.
    SELECT tenant_id, invitation_id, 'its letter was not sent' FROM letter
    WHERE due_at <= clock_timestamp() OR attempts < 10 AND due_at = 'infinity'
    UNION ALL
    SELECT tenant_id, 'audit', 'there are rows that were not sealed' FROM audit_pending
    UNION ALL
    SELECT c.tenant_id, c.series, 'the counter is not at the last number' FROM counter c
    JOIN (SELECT tenant_id, series, max(number) AS last FROM invoice GROUP BY 1, 2) d
      USING (tenant_id, series)
    WHERE c.value <> d.last
    UNION ALL
    SELECT tenant_id, policy_id, 'an invoice is there twice' FROM invoice
    GROUP BY tenant_id, policy_id, customer_id, type, term, period_start, cause
    HAVING count(*) > 1
  `
})
