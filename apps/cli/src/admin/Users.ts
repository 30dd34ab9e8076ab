/** `quittance admin users`: people of a tenant, the first manager above all. */
import { GivenGrant } from "@quittance/domain/access/Grant"
import { OperatorUsers } from "@quittance/operations/access/OperatorUsers"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import { Ids } from "@quittance/persistence/sql/Ids"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Console, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { asProblems } from "../Problem.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { forTenant, tenant } from "./AdminTenant.ts"
import { Email } from "@quittance/domain/values/Email"
import { BrokerageFirmId } from "@quittance/domain/values/Ids"
import * as Targets from "@quittance/persistence/targets"

const layer = Layer.mergeAll(OperatorUsers.layer, Issuers.layer, TenantsRepo.layer).pipe(
  Layer.provide(Targets.layer),
  Layer.provide([RateLimitStore.layer, KeyEncryption.layer, Ids.layer]),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

const name = (flag: string, description: string) =>
  Flag.String(flag).pipe(Flag.withDescription(description), Flag.withSchema(Schema.NonEmptyString))

const create = Command.make(
  "create",
  {
    email: Argument.String("email").pipe(
      Argument.withDescription("The address that the user signs in with"),
      Argument.withSchema(Email)
    ),
    tenant,
    firstName: name("first-name", "The first name"),
    lastName: name("last-name", "The last name"),
    role: Flag.String("role").pipe(
      Flag.withDescription("A role: TENANT_MANAGER, AUDITOR, … or one that the tenant has defined"),
      Flag.withSchema(GivenGrant.fields.role)
    ),
    firm: Flag.String("firm").pipe(
      Flag.withDescription("The brokerage firm that the user is of, and that the role holds on"),
      Flag.withSchema(BrokerageFirmId),
      Flag.optional
    )
  },
  ({ firm, tenant, ...person }) =>
    forTenant(
      tenant,
      Effect.gen(function* () {
        const issuers = yield* Issuers
        const { token, user } = yield* OperatorUsers.use(({ appoint }) =>
          appoint(Option.isSome(firm) ? { ...person, brokerageFirmId: firm.value } : person)
        )
        yield* Console.log(`user  ${user.id} (${user.email})`)
        yield* Console.log(`role  ${person.role} on ${Option.getOrElse(firm, () => "the tenant")}`)
        yield* Console.log(`link  ${issuers.of(tenant)}/invitation?token=${Redacted.value(token)}`)
        yield* Console.error(
          "The holder of the link may choose the password, once, for seven days. An e-mail takes it to the user too."
        )
      })
    ).pipe(Effect.provide(layer), asProblems)
).pipe(
  Command.withDescription("Invite a user who has a role from the start"),
  Command.withExamples([
    {
      command:
        "quittance admin users create ada@example.com --tenant acme --first-name Ada --last-name Byron --role TENANT_MANAGER",
      description: "The first manager of a tenant, who gives everybody else permissions"
    }
  ])
)

export const usersCommand = Command.make("users").pipe(
  Command.withDescription("The people of a tenant"),
  Command.withSubcommands([create])
)
