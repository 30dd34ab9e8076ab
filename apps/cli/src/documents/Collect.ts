/** `quittance documents gc`: takes bytes that no record needs any more, and tells of what is missing. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ContentCollection } from "@quittance/operations/contents/ContentCollection"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Console, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { asProblems, problem } from "../Problem.ts"
import * as AdminDatabase from "../admin/AdminDatabase.ts"
import { forTenant, tenant } from "../admin/AdminTenant.ts"

const layer = Layer.mergeAll(ContentCollection.layer, TenantsRepo.layer).pipe(
  Layer.provide(KeyEncryption.layer),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide([AdminDatabase.layer, NodeServices.layer])
)

export const gc = Command.make(
  "gc",
  {
    tenant,
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Count what would be taken, and leave it"),
      Flag.withDefault(false)
    )
  },
  ({ dryRun, tenant }) =>
    forTenant(
      tenant,
      Effect.gen(function* () {
        const { missing, removed, strays, unused } = yield* ContentCollection.use((collection) =>
          collection.collect({ dryRun })
        )
        yield* Console.log(
          `unused ${unused}\nremoved ${removed}\nstrays ${strays}\nmissing ${missing.length}`
        )
        if (missing.length === 0) return
        const which = `The bytes of these contents are not whole in their store:\n${missing.join("\n")}`
        return yield* problem(`${which}\nBring them back from a copy of the store.`)
      })
    ).pipe(Effect.provide(layer), asProblems)
).pipe(
  Command.withDescription("Take bytes of a tenant that nothing needs, and tell what is missing")
)
