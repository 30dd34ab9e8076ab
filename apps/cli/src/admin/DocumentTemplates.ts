/** `quittance admin document-templates`: what a tenant's documents are made of. */
import { DocumentTemplates } from "@quittance/operations/documents/DocumentTemplates"
import { TemplateFileError } from "@quittance/operations/documents/TemplateFiles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Console, Effect, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { asProblems } from "../Problem.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { forTenant, tenant } from "./AdminTenant.ts"

const layer = Layer.mergeAll(DocumentTemplates.layer, TenantsRepo.layer).pipe(
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

const folder = Argument.String("folder").pipe(
  Argument.withDescription("A folder with templates as files *.json, such as products/templates/fr")
)

const publish = Command.make("publish", { tenant, folder }, ({ folder, tenant }) =>
  forTenant(
    tenant,
    Effect.gen(function* () {
      const templates = yield* DocumentTemplates
      const found = yield* templates.read(folder)
      if (found.length === 0) {
        const problem =
          "there is no file *.json in it; name a folder such as products/templates/fr."
        return yield* new TemplateFileError({ file: folder, problem })
      }
      yield* templates.publish(found)
      yield* Console.log(`${found.length} templates of ${folder} are published for ${tenant}.`)
    })
  ).pipe(Effect.provide(layer), asProblems)
).pipe(Command.withDescription("Publish new versions of templates; those that are there stay"))

export const documentTemplatesCommand = Command.make("document-templates").pipe(
  Command.withDescription("What documents are made of"),
  Command.withSubcommands([publish])
)
