/** `quittance admin quote-providers`: the programs that price a tenant's products. */
import {
  defaultTimeouts,
  type ListedQuoteProvider,
  QuoteProviderId,
  QuoteProviderSettings,
  SharedSecret
} from "@quittance/domain/products/QuoteProvider"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { QuoteProviders } from "@quittance/operations/products/QuoteProviders"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Config, Console, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { asProblems } from "../Problem.ts"
import { count, milliseconds } from "../terminal/Numbers.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { forTenant, tenant } from "./AdminTenant.ts"
import type { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const layer = Layer.mergeAll(QuoteProviders.layer, TenantsRepo.layer).pipe(
  Layer.provide([Ids.layer, KeyEncryption.layer, ProductsRepo.layer]),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

/** Runs a command on the providers of a tenant that is there. */
const onProviders = <A, E extends Error>(
  id: TenantId,
  effect: Effect.Effect<A, E, QuoteProviders | CurrentTenant>
) => forTenant(id, effect).pipe(Effect.provide(layer), asProblems)

const provider = Argument.String("provider").pipe(
  Argument.withDescription("What products call it, such as gallery-rates"),
  Argument.withSchema(QuoteProviderId)
)

const limit = (name: string, what: string, preset: number) =>
  Flag.Int(name).pipe(
    Flag.withDescription(`${what}, in milliseconds; of a new provider ${count(preset)}`),
    Flag.withSchema(QuoteProviderSettings.fields.tryTimeout),
    Flag.optional
  )

/** Not among the arguments, which every user of the machine can read while the command runs. */
const secret = Config.option(Config.schema(Schema.Redacted(SharedSecret), "QUOTE_PROVIDER_SECRET"))

const set = Command.make(
  "set",
  {
    provider,
    tenant,
    url: Flag.String("url").pipe(
      Flag.withDescription("Where questions are posted to; https but in sandboxes"),
      Flag.optional
    ),
    tryTimeout: limit("try-timeout", "How long one try may take", defaultTimeouts.tryTimeout),
    totalTimeout: limit(
      "total-timeout",
      "How long all tries together may take",
      defaultTimeouts.totalTimeout
    )
  },
  ({ provider, tenant, totalTimeout, tryTimeout, url }) =>
    onProviders(
      tenant,
      Effect.gen(function* () {
        const { made, settings } = yield* QuoteProviders.use(({ set }) =>
          Effect.flatMap(secret, (secret) =>
            set({
              id: provider,
              url: Option.getOrUndefined(url),
              secret: Option.getOrUndefined(secret),
              tryTimeout: Option.getOrUndefined(tryTimeout),
              totalTimeout: Option.getOrUndefined(totalTimeout)
            })
          )
        )
        yield* Console.log(line(settings))
        if (made === undefined) return
        yield* Console.log(`secret  ${Redacted.value(made)}`)
        yield* Console.error("Keep the secret now: it is not shown again.")
      })
    )
).pipe(
  Command.withDescription("Add a provider, or change what is said of it"),
  Command.withExamples([
    {
      command:
        "quittance admin quote-providers set gallery-rates --tenant acme --url https://rates.example.com/prices",
      description: "Makes a secret and shows it, once, unless QUOTE_PROVIDER_SECRET has one"
    },
    {
      command:
        "QUOTE_PROVIDER_SECRET=… quittance admin quote-providers set gallery-rates --tenant acme",
      description: "Signs with another secret from now on; the provider has to know it already"
    }
  ])
)

const list = Command.make("list", { tenant }, ({ tenant }) =>
  onProviders(
    tenant,
    Effect.gen(function* () {
      const providers = yield* QuoteProviders.use(({ list }) => list)
      if (providers.length === 0) return yield* Console.error(`${tenant} has no quote providers.`)
      yield* Console.log(providers.map((one) => `${line(one)}${since(one)}`).join("\n"))
    })
  )
).pipe(Command.withDescription("The providers of a tenant, without their secrets"))

const remove = Command.make("remove", { provider, tenant }, ({ provider, tenant }) =>
  onProviders(
    tenant,
    Effect.gen(function* () {
      yield* QuoteProviders.use((providers) => providers.remove(provider))
      yield* Console.log(`${provider} is removed.`)
    })
  )
).pipe(Command.withDescription("Remove a provider that prices nothing the tenant sells"))

const line = ({ id, keyId, totalTimeout, tryTimeout, url }: QuoteProviderSettings): string =>
  `${id}  ${url}  key ${keyId}  ${milliseconds(tryTimeout)} a try, ${milliseconds(totalTimeout)} in all`

const since = ({ lastModifiedAt }: ListedQuoteProvider): string => `  since ${lastModifiedAt}`

export const quoteProvidersCommand = Command.make("quote-providers").pipe(
  Command.withDescription("The programs that price a tenant's products beside the built-in engine"),
  Command.withSubcommands([set, list, remove])
)
