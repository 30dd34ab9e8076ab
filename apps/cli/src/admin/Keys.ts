/** `quittance admin keys`: the keys that sign a tenant's tokens, and replacing them. */
import { toEpochMillis } from "@quittance/domain/values/Instant"
import type { PublishedKey } from "@quittance/domain/tokens/SigningKey"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { AuthorizationServerKeyRotation } from "@quittance/operations/tokens/KeyRotation"
import { Ids } from "@quittance/persistence/sql/Ids"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Console, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { asProblems } from "../Problem.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { forTenant, tenant } from "./AdminTenant.ts"
import type { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const layer = Layer.mergeAll(AuthorizationServerKeyRotation.layer, TenantsRepo.layer).pipe(
  Layer.provide([Ids.layer, KeyEncryption.layer, TenantSql.layer]),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

/** Runs a command on the keys of a tenant that is there. */
const onKeys = <A, E extends Error>(
  id: TenantId,
  effect: Effect.Effect<A, E, AuthorizationServerKeyRotation | CurrentTenant>
) => forTenant(id, effect).pipe(Effect.provide(layer), asProblems)

const list = Command.make("list", { tenant }, ({ tenant }) =>
  onKeys(tenant, AuthorizationServerKeyRotation.use(({ list }) => list).pipe(Effect.flatMap(print)))
).pipe(Command.withDescription("The keys of a tenant: which one signs, and since when"))

const rotate = Command.make(
  "rotate",
  {
    tenant,
    compromised: Flag.Boolean("compromised").pipe(
      Flag.withDescription(
        "Another party may have the key that signs: delete it, and end its tokens within a second"
      ),
      Flag.withDefault(false)
    )
  },
  ({ compromised, tenant }) =>
    onKeys(
      tenant,
      Effect.gen(function* () {
        const { keys, unknownUntil } = yield* AuthorizationServerKeyRotation.use((rotation) =>
          rotation.rotate({ compromised })
        )
        yield* print(keys)
        if (unknownUntil !== undefined) {
          yield* Console.error(
            `Clients that keep the key set may refuse new tokens until ${unknownUntil}: ` +
              "the key that signs now was published only a short time ago."
          )
        }
      })
    )
).pipe(
  Command.withDescription("Let a tenant's next key sign, and make a new next one"),
  Command.withExamples([
    {
      command: "quittance admin keys rotate --tenant acme",
      description: "The key that has signed until now still verifies until its last token expires"
    },
    {
      command: "quittance admin keys rotate --tenant acme --compromised",
      description: "Its tokens are refused within a second, so everybody has to get new ones"
    }
  ])
)

const print = (keys: ReadonlyArray<PublishedKey>) =>
  Console.log([...keys].sort(newestFirst).map(line).join("\n"))

const newestFirst = (a: PublishedKey, b: PublishedKey) =>
  toEpochMillis(b.createdAt) - toEpochMillis(a.createdAt)

const line = ({ activatedAt, createdAt, kid, retiredAt, state }: PublishedKey): string => {
  const since = {
    NEXT: `published since ${createdAt}`,
    ACTIVE: `signs since ${activatedAt}`,
    RETIRED: `signed until ${retiredAt}`
  }
  return `${state.padEnd(8)}${kid}  ${since[state]}`
}

export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("The keys that sign a tenant's tokens"),
  Command.withSubcommands([list, rotate])
)
