/** `quittance admin tenants`: the tenants of the service. */
import { Currency } from "@quittance/domain/values/Amount"
import { CurrentTenant, Environment, TenantId } from "@quittance/domain/tenants/Tenant"
import { TimeZone } from "@quittance/domain/values/TimeZone"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { Tenants } from "@quittance/operations/provisioning/Tenants"
import { Ids } from "@quittance/persistence/sql/Ids"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Config, Console, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { asProblems } from "../Problem.ts"
import * as AdminDatabase from "./AdminDatabase.ts"

const layer = Layer.mergeAll(Tenants.layer, AuthorizationServerKeys.layer).pipe(
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
    }).pipe(Effect.provide(layer), asProblems)
).pipe(
  Command.withDescription("Make a tenant with its signing key and a client for its administrator")
)

export const tenantsCommand = Command.make("tenants").pipe(
  Command.withDescription("The tenants of the service"),
  Command.withSubcommands([create])
)
