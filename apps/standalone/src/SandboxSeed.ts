/** What a sandbox's database is filled with before it is served. */
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import * as EnvironmentGuard from "@quittance/operations/tenants/EnvironmentGuard"
import { DocumentTemplates } from "@quittance/operations/documents/DocumentTemplates"
import { clientsOf, Sandbox, tenants, usersOf } from "@quittance/operations/provisioning/Sandbox"
import { SandboxProducts } from "@quittance/operations/provisioning/SandboxProducts"
import { WrongSetting } from "@quittance/domain/values/Settings"
import * as Targets from "@quittance/persistence/targets"
import { Config, Effect, FileSystem, Layer, Path } from "effect"
import { createHash } from "node:crypto"
import { join } from "node:path"

/** The folder of the example products: `PRODUCTS_DIR`, else the one of the repository. */
const productsFolder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* Config.String("PRODUCTS_DIR").pipe(
    Config.withDefault(join(import.meta.dirname, "../../../products"))
  )
  const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), () => [])
  if (names.some((name) => name.endsWith(".json"))) return folder
  return yield* new WrongSetting({
    variable: "PRODUCTS_DIR",
    takes: "a folder with products as files *.json"
  })
})

/** Makes the tenants that are missing, with their people, firms, clients and products. */
export const run = Effect.gen(function* () {
  // First of all: beside tenants of production there is nothing to seed.
  yield* EnvironmentGuard.guard
  const directory = yield* TenantsRepo
  const sandbox = yield* Sandbox
  const products = yield* SandboxProducts
  const dunning = yield* DunningRepo
  const templates = yield* DocumentTemplates
  for (const tenant of tenants) {
    // The password's hash is slow on purpose; a start that has nothing to seed does without.
    if ((yield* directory.find(tenant.id)) !== undefined) continue
    const folder = yield* productsFolder
    const sold = yield* products.read(folder)
    const papers = yield* templates.read(join(folder, "templates"))
    // A sandbox sends no post.
    const dispatch = dunning.setDispatch("SIMULATED_POST")
    const published = products
      .publish(sold)
      .pipe(Effect.andThen(Effect.orDie(templates.publish(papers))), Effect.andThen(dispatch))
    yield* sandbox.seedTenant(tenant, published)
  }
}).pipe(
  Effect.provide(
    Layer.mergeAll(
      DocumentTemplates.layer,
      DunningRepo.layer,
      TenantsRepo.layer,
      Sandbox.layer,
      SandboxProducts.layer
    ).pipe(
      Layer.provide([ProductsRepo.layer, Targets.layer]),
      Layer.provide([TenantSql.layer, Ids.layer]),
      Layer.provide(Sql.layer)
    )
  ),
  Effect.withSpan("SandboxSeed.run")
)

/** Changes with everything that decides what is seeded, so that no template of old is used. */
export const version = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const products = yield* productsFolder
  const people = tenants.map(({ id }) => [clientsOf(id), usersOf(id)])
  const hash = createHash("sha256").update(JSON.stringify([tenants, people]))
  const names = yield* fs.readDirectory(products, { recursive: true })
  for (const name of names.filter((name) => name.endsWith(".json")).sort()) {
    hash.update(`${name}\0`).update(yield* fs.readFileString(path.join(products, name)))
  }
  return hash.digest("hex")
})
