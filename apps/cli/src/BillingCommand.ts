/** `quittance billing`: whether the books of a tenant agree with themselves, and their journal. */
import {
  Reconciliation,
  type Reconciled
} from "@quittance/operations/reconciliation/Reconciliation"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import * as AdminDatabase from "./admin/AdminDatabase.ts"
import { forTenant, tenant } from "./admin/AdminTenant.ts"
import { NotSound } from "./admin/Audit.ts"
import { journal } from "./billing/Journal.ts"
import { asProblems } from "./Problem.ts"
import { counted } from "./terminal/Numbers.ts"

const layer = Layer.mergeAll(Reconciliation.layer, TenantsRepo.layer).pipe(
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

const reconcile = Command.make(
  "reconcile",
  { tenant },
  Effect.fn(function* ({ tenant }) {
    const reconciled = yield* forTenant(
      tenant,
      Reconciliation.use((books) => books.reconcile)
    ).pipe(Effect.provide(layer), asProblems)
    yield* Console.log(report(reconciled))
    if (reconciled.difference !== undefined) return yield* new NotSound()
  })
).pipe(
  Command.withDescription(
    "Derive all balances and the accounting summary again, and tell the first difference"
  ),
  Command.withExamples([
    {
      command: "quittance billing reconcile --tenant acme",
      description:
        "Ends with 1 if entries, documents, payments or the summary contradict each other"
    }
  ])
)

const report = ({ difference, entries, policies }: Reconciled): string =>
  [
    ...(difference === undefined
      ? []
      : [
          `differs   ${difference.record}, ${difference.field}`,
          ...(difference.policyId === undefined ? [] : [`policy    ${difference.policyId}`]),
          `expected  ${difference.expected}`,
          `found     ${difference.found}`
        ]),
    `agree     ${counted(policies, "policy", "policies")} with ${counted(entries, "entry", "entries")}`
  ].join("\n")

export const billingCommand = Command.make("billing").pipe(
  Command.withDescription("The books of a tenant"),
  Command.withSubcommands([reconcile, journal])
)
