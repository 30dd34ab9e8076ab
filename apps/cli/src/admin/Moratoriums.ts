/** `quittance admin moratoriums`: times without dunning on all policies of a tenant. */
import { InstantFromString } from "@quittance/domain/values/Instant"
import { type Moratorium, Moratoriums } from "@quittance/operations/dunning/Moratoriums"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Console, Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { asProblems } from "../Problem.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { forTenant, tenant } from "./AdminTenant.ts"
import { HoldId } from "@quittance/domain/values/Ids"
import type { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const layer = Layer.mergeAll(Moratoriums.layer, TenantsRepo.layer).pipe(
  Layer.provide([Ids.layer, ProductsRepo.layer]),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

/** Runs a command on the moratoriums of a tenant that is there. */
const onMoratoriums = <A, E extends Error>(
  id: TenantId,
  effect: Effect.Effect<A, E, Moratoriums | CurrentTenant>
) => forTenant(id, effect).pipe(Effect.provide(layer), asProblems)

const place = Command.make(
  "place",
  {
    tenant,
    from: Flag.String("from").pipe(
      Flag.withDescription("When it begins, not in the past; now where it is left out"),
      Flag.withSchema(InstantFromString),
      Flag.optional
    ),
    to: Flag.String("to").pipe(
      Flag.withDescription("When it ends, such as 2026-09-01T00:00:00+02:00"),
      Flag.withSchema(InstantFromString)
    ),
    reason: Flag.String("reason").pipe(Flag.withDescription("Why, for those who read it later")),
    products: Flag.String("product").pipe(
      Flag.withDescription("A product that it is for; may be given again. Of every one without"),
      Flag.atLeast(1),
      Flag.withDefault([])
    )
  },
  ({ from, products, reason, tenant, to }) =>
    onMoratoriums(
      tenant,
      Effect.gen(function* () {
        const placed = yield* Moratoriums.use((moratoriums) =>
          moratoriums.place({
            from: Option.getOrUndefined(from),
            to,
            reason,
            productIds: products.length === 0 ? undefined : products
          })
        )
        yield* Console.log(line(placed))
      })
    )
).pipe(Command.withDescription("Keep the steps of dunning away between two instants"))

const list = Command.make("list", { tenant }, ({ tenant }) =>
  onMoratoriums(
    tenant,
    Effect.gen(function* () {
      const all = yield* Moratoriums.use((moratoriums) => moratoriums.list)
      if (all.length === 0) return yield* Console.error(`${tenant} has no moratoriums.`)
      yield* Console.log(all.map(line).join("\n"))
    })
  )
).pipe(Command.withDescription("The moratoriums of a tenant, past ones too"))

const moratorium = Argument.String("moratorium").pipe(
  Argument.withDescription("Its identifier, as `list` shows it"),
  Argument.withSchema(HoldId)
)

const lift = Command.make("lift", { moratorium, tenant }, ({ moratorium, tenant }) =>
  onMoratoriums(
    tenant,
    Effect.gen(function* () {
      yield* Moratoriums.use((moratoriums) => moratoriums.lift(moratorium))
      yield* Console.log(`${moratorium} is lifted.`)
    })
  )
).pipe(Command.withDescription("End a moratorium now"))

const line = ({ from, id, productIds = ["every product"], reason, to }: Moratorium): string =>
  `${id}  ${from}  ${to}  ${productIds.join(", ")}  ${reason}`

export const moratoriumsCommand = Command.make("moratoriums").pipe(
  Command.withDescription("Times without dunning"),
  Command.withSubcommands([place, list, lift])
)
