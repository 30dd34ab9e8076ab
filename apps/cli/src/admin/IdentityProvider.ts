/** `quittance admin identity-provider`: the OpenID Provider with which people of a tenant sign in. */
import { IdentityProvider, IdentityProviderMode } from "@quittance/domain/access/IdentityProvider"
import { IdentityProviders } from "@quittance/operations/access/IdentityProviders"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Ids } from "@quittance/persistence/sql/Ids"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Config, Console, Effect, Layer, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { asProblems } from "../Problem.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { forTenant, tenant } from "./AdminTenant.ts"
import type { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const layer = Layer.mergeAll(IdentityProviders.layer, TenantsRepo.layer).pipe(
  Layer.provide([Ids.layer, KeyEncryption.layer]),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

/** Runs a command on the provider of a tenant that is there. */
const onProvider = <A, E extends Error>(
  id: TenantId,
  effect: Effect.Effect<A, E, IdentityProviders | CurrentTenant>
) => forTenant(id, effect).pipe(Effect.provide(layer), asProblems)

const text = (name: string, what: string) =>
  Flag.String(name).pipe(Flag.withDescription(what), Flag.optional)

/** Not among the arguments, which every user of the machine can read while the command runs. */
const secret = Config.option(
  Config.schema(Schema.Redacted(Schema.NonEmptyString), "IDENTITY_PROVIDER_SECRET")
)

const set = Command.make(
  "set",
  {
    tenant,
    issuer: text(
      "issuer",
      "As the provider's discovery document writes it; https but in sandboxes"
    ),
    clientId: text("client-id", "What the provider calls this service"),
    label: Flag.String("label").pipe(
      Flag.withDescription("What the button on the sign-in page names: Sign in with …"),
      Flag.withSchema(IdentityProvider.fields.label),
      Flag.optional
    ),
    mode: Flag.Literals("mode", IdentityProviderMode.literals).pipe(
      Flag.withDescription("OFFERED beside passwords, or REQUIRED: the only way to sign in"),
      Flag.optional
    ),
    linksByEmail: Flag.Literals("link-by-email", ["yes", "no"]).pipe(
      Flag.withDescription("Whether a verified address links a user at their first sign-in"),
      Flag.optional
    )
  },
  ({ clientId, issuer, label, linksByEmail, mode, tenant }) =>
    onProvider(
      tenant,
      Effect.gen(function* () {
        const given = {
          issuer: Option.getOrUndefined(issuer),
          clientId: Option.getOrUndefined(clientId),
          label: Option.getOrUndefined(label),
          mode: Option.getOrUndefined(mode),
          linksByEmail: Option.getOrUndefined(
            Option.map(linksByEmail, (answer) => answer === "yes")
          ),
          secret: Option.getOrUndefined(yield* secret)
        }
        yield* Console.log(line(yield* IdentityProviders.use((providers) => providers.set(given))))
      })
    )
).pipe(
  Command.withDescription("Set the provider up, or change what is said of it"),
  Command.withExamples([
    {
      command:
        "IDENTITY_PROVIDER_SECRET=… quittance admin identity-provider set --tenant acme --issuer https://login.example.com --client-id quittance --label Example",
      description: "Offers the provider on the sign-in page, beside passwords"
    },
    {
      command: "quittance admin identity-provider set --tenant acme --mode REQUIRED",
      description: "Has everybody sign in with it"
    }
  ])
)

const show = Command.make("show", { tenant }, ({ tenant }) =>
  onProvider(
    tenant,
    Effect.gen(function* () {
      const provider = yield* IdentityProviders.use(({ find }) => find)
      if (provider === undefined) {
        return yield* Console.error(`${tenant} has no identity provider.`)
      }
      yield* Console.log(line(provider))
    })
  )
).pipe(Command.withDescription("The provider of a tenant, without its secret"))

const remove = Command.make("remove", { tenant }, ({ tenant }) =>
  onProvider(
    tenant,
    Effect.gen(function* () {
      yield* IdentityProviders.use((providers) => providers.remove)
      yield* Console.log(`The identity provider of ${tenant} is removed.`)
    })
  )
).pipe(Command.withDescription("Remove the provider: people sign in with passwords again"))

const line = ({ clientId, issuer, label, linksByEmail, mode }: IdentityProvider): string =>
  `${issuer}  client ${clientId}  ${label}  ${mode}  ${linksByEmail ? "links by verified e-mail" : "does not link by e-mail"}`

export const identityProviderCommand = Command.make("identity-provider").pipe(
  Command.withDescription("The OpenID Provider with which people of a tenant sign in"),
  Command.withSubcommands([set, show, remove])
)
