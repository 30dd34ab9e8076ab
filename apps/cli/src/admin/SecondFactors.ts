/** `quittance admin tenants second-factor`: whether people need more than a password. */
import { SecondFactorPolicy } from "@quittance/operations/authorization-server/SecondFactorPolicy"
import { Ids } from "@quittance/persistence/sql/Ids"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Console, Effect, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { asProblems, problem } from "../Problem.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { forTenant, tenant } from "./AdminTenant.ts"

const layer = Layer.mergeAll(SecondFactorPolicy.layer, TenantsRepo.layer).pipe(
  Layer.provide(Ids.layer),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

export const secondFactorCommand = Command.make(
  "second-factor",
  {
    setting: Argument.String("setting").pipe(Argument.withDescription("required or optional")),
    tenant
  },
  ({ setting, tenant }) =>
    forTenant(
      tenant,
      Effect.gen(function* () {
        if (setting !== "required" && setting !== "optional") {
          return yield* problem("Say whether a second factor is required or optional.")
        }
        yield* SecondFactorPolicy.use((policy) => policy.setRequired(setting === "required"))
        yield* Console.log(`A second factor is ${setting} at ${tenant}.`)
      })
    ).pipe(Effect.provide(layer), asProblems)
).pipe(
  Command.withDescription("Ask a second factor of everybody whose role moves money or rights"),
  Command.withExamples([
    {
      command: "quittance admin tenants second-factor required --tenant acme",
      description: "Who has none enrols one at the next sign-in, and gets no token before"
    }
  ])
)
