/** What a campaign came to: printed, and whether all was as it must be. */
import { Reconciliation } from "@quittance/operations/reconciliation/Reconciliation"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import * as Campaign from "./Campaign.ts"
import * as Verdict from "./model/Verdict.ts"
import * as World from "./World.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

/** How many differences are shown. */
const shown = 10

/** Everything that the model, the books themselves and the post have to say against a campaign. */
export const verdict = Effect.fn("Report.verdict")(function* ({
  asSuperuser,
  mail,
  services
}: Campaign.Ended) {
  const reached = yield* asSuperuser(Verdict.reach(Campaign.products.map(World.productOf)))
  const tenants = yield* asSuperuser(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ readonly id: string; readonly invitations: number }>`
        SELECT tenant_id AS id, (SELECT count(*)::int FROM invitation i
          WHERE i.tenant_id = t.tenant_id) AS invitations
        FROM tenant t ORDER BY tenant_id
      `
    )
  )
  const differences = [...reached.differences]
  for (const { id } of tenants) {
    const { difference } = yield* Reconciliation.use(({ reconcile }) => reconcile).pipe(
      Effect.provideService(CurrentTenant, TenantId.make(id)),
      Effect.provideContext(services)
    )
    if (difference !== undefined) {
      differences.push({ tenantId: id, of: "books", what: JSON.stringify(difference) })
    }
  }
  const letters = (yield* Effect.promise(() => fs.readdir(mail))).filter((file) =>
    file.endsWith(".eml")
  )
  const invitations = tenants.reduce((sum, tenant) => sum + tenant.invitations, 0)
  // A link that was not sent within its week is not sent any more.
  if (letters.length > invitations) {
    const what = `${letters.length} letters were sent for ${invitations} invitations`
    differences.push({ tenantId: "all", of: "letters", what })
  }
  return { ...reached, letters: letters.length, differences }
})

/** Leaves what there is of a policy that differs in a file; says where. */
const kept = Effect.fnUntraced(function* ({ facts, of, tenantId, what }: Verdict.Difference) {
  const line = `  DIFFERENCE in ${tenantId}, ${of}: ${what}`
  if (facts === undefined) return line
  const file = path.join(os.tmpdir(), `quittance-chaos-${of}.json`)
  yield* Effect.promise(() => fs.writeFile(file, JSON.stringify(facts, undefined, 2)))
  return `${line} (${file})`
})

/** Prints what was done and found; `false` when anything differs. */
export const print = Effect.fn("Report.print")(function* (
  settings: Campaign.Settings,
  ended: Campaign.Ended
) {
  const { cutCommits, days, deeds, rounds, seconds, toll } = ended
  const { differences, ...counted } = yield* verdict(ended)
  const { restarts } = toll
  const [cpu] = os.cpus()
  yield* Console.log(
    [
      `seed ${settings.seed}: ${settings.workers} workers, ${rounds} pauses, ${days} days in ${seconds} s (${os.cpus().length} × ${cpu?.model ?? "?"}, Node ${process.version})`,
      `  ${toll.kills} workers were killed, ${toll.inTransaction} of them in a transaction`,
      `  ${cutCommits} commits and ${toll.terminated} sessions were cut, the database restarted ${restarts.fast + restarts.immediate} times, ${restarts.immediate} of them at once`,
      `  meanwhile ${deeds} commands were answered`,
      `  compared: ${Object.entries(counted)
        .map(([what, count]) => `${count} ${what}`)
        .join(", ")}`,
      ...(yield* Effect.forEach(differences.slice(0, shown), kept)),
      `${differences.length} differences`
    ].join("\n")
  )
  return differences.length === 0
})
