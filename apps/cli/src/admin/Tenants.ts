/** `quittance admin tenants`: the tenants of the service. */
import { TenantCurrency, TenantLocale, TenantName } from "@quittance/domain/tenants/NewTenant"
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import { TimeZone } from "@quittance/domain/values/TimeZone"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { Tenants } from "@quittance/operations/provisioning/Tenants"
import * as EnvironmentGuard from "@quittance/operations/tenants/EnvironmentGuard"
import { Ids } from "@quittance/persistence/sql/Ids"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as TenantRemoval from "@quittance/persistence/tenants/TenantRemoval"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { asProblems, problem } from "../Problem.ts"
import { counted } from "../terminal/Numbers.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { forTenant } from "./AdminTenant.ts"
import { secondFactorCommand } from "./SecondFactors.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const layer = Layer.mergeAll(Tenants.layer, TenantsRepo.layer, AuthorizationServerKeys.layer).pipe(
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
      Flag.withSchema(TenantName),
      Flag.optional
    ),
    locale: Flag.String("locale").pipe(
      Flag.withDescription("The language and country of its letters and prices; fr-FR unless said"),
      Flag.withSchema(TenantLocale),
      Flag.withDefault("fr-FR")
    ),
    currency: Flag.String("currency").pipe(
      Flag.withDescription("The currency of its products; EUR unless said"),
      Flag.withSchema(TenantCurrency),
      Flag.withDefault(TenantCurrency.make("EUR"))
    ),
    timeZone: Flag.String("time-zone").pipe(
      Flag.withDescription("Where its days begin; Europe/Paris unless said"),
      Flag.withSchema(TimeZone),
      Flag.withDefault("Europe/Paris")
    )
  },
  ({ currency, id, locale, name, timeZone }) =>
    Effect.gen(function* () {
      const environment = yield* runningEnvironment
      // A tenant of a sandbox beside those of production would keep production from starting.
      yield* EnvironmentGuard.guard
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

const list = Command.make("list", {}, () =>
  Effect.gen(function* () {
    const tenants = yield* TenantsRepo.use(({ list }) => list)
    yield* Console.log(
      tenants.length === 0
        ? "There is no tenant."
        : tenants
            .map(
              ({ disabledAt, environment, id, name }) =>
                `${id.padEnd(41)}${environment.padEnd(13)}${name}${disabledAt === null ? "" : `  disabled since ${disabledAt}`}`
            )
            .join("\n")
    )
  }).pipe(Effect.provide(listLayer), asProblems)
).pipe(
  Command.withDescription("The tenants of the database, their environments, and which are disabled")
)

const listLayer = TenantsRepo.layer.pipe(
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

const remove = Command.make(
  "remove",
  {
    id: Argument.String("tenant").pipe(
      Argument.withDescription("The tenant that is to go, with everything that is its own"),
      Argument.withSchema(TenantId)
    ),
    confirm: Flag.String("confirm").pipe(
      Flag.withDescription(
        "Of production: the identifier again. Its books and its audit trail go, too"
      ),
      Flag.optional
    )
  },
  ({ confirm, id }) =>
    Effect.gen(function* () {
      const tenant = yield* TenantsRepo.use(({ find }) => find(id)).pipe(Effect.provide(listLayer))
      if (tenant === undefined) {
        return yield* problem(`There is no tenant ${id}: check the name, and which database it is.`)
      }
      if (tenant.environment === "production" && Option.getOrUndefined(confirm) !== id) {
        return yield* problem(
          `${id} is a tenant of production. Keep a backup, and say \`--confirm ${id}\` to remove its policies, books and audit trail.`
        )
      }
      const rows = yield* TenantRemoval.remove(id).pipe(
        Effect.provide(Sql.layerOwner.pipe(Layer.provide(AdminDatabase.layer)))
      )
      yield* Console.log(`removed  ${id} with ${counted(rows, "row")}`)
    }).pipe(asProblems)
).pipe(
  Command.withDescription("Remove a tenant with all its records, for good"),
  Command.withExamples([
    {
      command: "quittance admin tenants remove acme",
      description: "A tenant of a sandbox, which keeps production from starting"
    }
  ])
)

/** The tenant that a command disables or enables. */
const existing = Argument.String("tenant").pipe(
  Argument.withDescription("The tenant, as `list` shows it"),
  Argument.withSchema(TenantId)
)

const setDisabled = (id: TenantId, disabled: boolean) =>
  forTenant(
    id,
    Effect.gen(function* () {
      const changed = yield* Tenants.use((tenants) => tenants.setDisabled(disabled))
      const state = disabled ? "disabled" : "enabled"
      yield* Console.log(changed ? `${id} is ${state}.` : `${id} was ${state} already.`)
      yield* Console.error(
        disabled
          ? "Running programs follow within a second. Its data and its clock are kept."
          : "Running programs follow within a second. The worker does what fell due meanwhile."
      )
    })
  ).pipe(Effect.provide(layer), asProblems)

const disable = Command.make("disable", { id: existing }, ({ id }) => setDisabled(id, true)).pipe(
  Command.withDescription(
    "Disable a tenant: serve no request in its name, and do nothing that falls due there"
  ),
  Command.withExamples([
    {
      command: "quittance admin tenants disable acme",
      description: "Requests are answered as if the tenant weren't there, until it is enabled"
    }
  ])
)

const enable = Command.make("enable", { id: existing }, ({ id }) => setDisabled(id, false)).pipe(
  Command.withDescription("Serve a disabled tenant again, and catch up with what fell due")
)

export const tenantsCommand = Command.make("tenants").pipe(
  Command.withDescription("The tenants of the service"),
  Command.withSubcommands([create, list, disable, enable, remove, secondFactorCommand])
)
