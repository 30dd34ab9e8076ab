/** `quittance admin`: what whoever runs the service does beside it, straight on its database. */
import { Currency } from "@quittance/domain/Amount"
import { CurrentTenant, Environment, TenantId } from "@quittance/domain/Tenant"
import { TimeZone } from "@quittance/domain/TimeZone"
import { KeyEncryption } from "@quittance/operations/AuthorizationServerKeyEncryption"
import { AuthorizationServerKeys } from "@quittance/operations/AuthorizationServerKeys"
import { Tenants } from "@quittance/operations/Tenants"
import { Ids } from "@quittance/persistence/Ids"
import * as Migrate from "@quittance/persistence/Migrate"
import * as Sql from "@quittance/persistence/Sql"
import { TenantSql } from "@quittance/persistence/TenantSql"
import { Config, Console, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as AdminDatabase from "./admin/AdminDatabase.ts"
import { keysCommand } from "./admin/Keys.ts"
import { asProblems } from "./Problem.ts"

const migrate = Command.make("migrate", {}, () =>
  Migrate.run.pipe(
    Effect.flatMap((applied) =>
      Console.log(
        applied.length === 0
          ? "The database has the newest schema."
          : applied.map((name) => `applied ${name}`).join("\n")
      )
    ),
    Effect.provide(Sql.layerOwner.pipe(Layer.provide(AdminDatabase.layer))),
    asProblems
  )
).pipe(Command.withDescription("Bring the database to the newest schema"))

const tenantLayer = Layer.mergeAll(Tenants.layer, AuthorizationServerKeys.layer).pipe(
  Layer.provide([KeyEncryption.layer, Ids.layer, TenantSql.layer]),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

const create = Command.make(
  "create",
  {
    id: Argument.String("tenant").pipe(
      Argument.withDescription(
        "A slug, such as acme: the tenant's header and its host's first label"
      ),
      Argument.withSchema(TenantId)
    ),
    name: Flag.String("name").pipe(
      Flag.withDescription("What people call the tenant"),
      Flag.withSchema(Schema.NonEmptyString),
      Flag.optional
    ),
    locale: Flag.String("locale").pipe(Flag.withDefault("fr-FR")),
    currency: Flag.String("currency").pipe(
      Flag.withSchema(Currency),
      Flag.withDefault(Currency.make("EUR"))
    ),
    timeZone: Flag.String("time-zone").pipe(
      Flag.withSchema(TimeZone),
      Flag.withDefault("Europe/Paris")
    )
  },
  ({ currency, id, locale, name, timeZone }) =>
    Effect.gen(function* () {
      const environment = yield* Config.schema(Environment, "ENVIRONMENT").pipe(
        Config.withDefault("sandbox" as const)
      )
      const tenants = yield* Tenants
      const keys = yield* AuthorizationServerKeys
      const { clientId, clientSecret } = yield* tenants.create({
        id,
        name: Option.getOrElse(name, () => id),
        environment,
        locale,
        currency,
        timeZone
      })
      yield* Effect.provideService(keys.ensure, CurrentTenant, id)
      yield* Console.log(`tenant         ${id} (${environment})`)
      yield* Console.log(`client id      ${clientId}`)
      yield* Console.log(`client secret  ${Redacted.value(clientSecret)}`)
      yield* Console.error("Keep the secret now: it is stored nowhere and not shown again.")
    }).pipe(Effect.provide(tenantLayer), asProblems)
).pipe(
  Command.withDescription("Make a tenant with its signing key and a client for its administrator")
)

export const adminCommand = Command.make("admin").pipe(
  Command.withDescription("Look after the service's database"),
  Command.withSubcommands([
    migrate,
    Command.make("tenants").pipe(
      Command.withDescription("The tenants of the service"),
      Command.withSubcommands([create])
    ),
    keysCommand
  ])
)
