/** `quittance policies reprice`: live policies moved to the current version of their product. */
import { LocalDate, parse as parseDay } from "@quittance/domain/values/LocalDate"
import { parse } from "@quittance/domain/portfolio/PolicySelection"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { type Repriced, Repricing } from "@quittance/operations/portfolio/Repricing"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import * as Wiring from "@quittance/operations/Wiring"
import { Console, Effect, Layer, Option, Runtime, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as AdminDatabase from "../admin/AdminDatabase.ts"
import { forTenant, tenant } from "../admin/AdminTenant.ts"
import { asProblems, problem } from "../Problem.ts"
import { count, counted } from "../terminal/Numbers.ts"
import * as Progress from "../terminal/Progress.ts"

const layer = Layer.mergeAll(Repricing.layer, TenantsRepo.layer).pipe(
  Layer.provide(Wiring.layer),
  Layer.provideMerge(ProductsRepo.layer),
  Layer.provide([Ids.layer, TenantSql.layer]),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

/** Some policies have no branch; which and why is printed already. */
export class SomeNotRepriced extends Schema.TaggedError<SomeNotRepriced>()("SomeNotRepriced", {}) {
  override readonly [Runtime.errorReported] = false
  override readonly [Runtime.errorExitCode] = 2
}

export const reprice = Command.make(
  "reprice",
  {
    tenant,
    product: Flag.String("product").pipe(
      Flag.withDescription("The product, by its identifier; its current version is what they get")
    ),
    select: Flag.String("select").pipe(
      Flag.withDescription(
        "Which live policies: `all`, or criteria such as product-version=2025.1, each in a --select of its own"
      ),
      Flag.atLeast(1)
    ),
    effective: Flag.String("effective").pipe(
      Flag.withDescription("The day from which the new price holds, YYYY-MM-DD")
    ),
    name: Flag.String("name").pipe(
      Flag.withDescription("What the branches are called; made of version and day unless said"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ effective, name, product: productId, select, tenant }) {
    const selection = yield* asProblems(Effect.fromResult(parse(select)))
    const day = parseDay(effective)
    if (day === undefined) {
      return yield* problem(`${effective} is no day; write it as 2027-01-01.`)
    }
    const progress = yield* Progress.start("Opening branches")
    const done = yield* forTenant(
      tenant,
      Effect.gen(function* () {
        const { current } = yield* ProductsRepo
        const { timeZone, version } = yield* current(productId)
        const request = {
          productId,
          selection,
          effectiveAt: startOfDay(LocalDate.make(day), timeZone),
          name: Option.getOrElse(name, () => `Repricing ${version} as of ${effective}`)
        }
        return yield* Repricing.use(({ run }) => run(request, progress))
      })
    ).pipe(Effect.provide(layer), asProblems)
    yield* Console.log(told(done))
    if (done.failed.length > 0) return yield* new SomeNotRepriced()
  })
).pipe(
  Command.withDescription("Open a REPRICING branch for each of many policies, quoted and ready"),
  Command.withExamples([
    {
      command:
        "quittance policies reprice --tenant acme --product motor-fr --select all --effective 2027-01-01",
      description:
        "Repeat it to go on where it was cut off: a policy that has its branch keeps it. Ends with 2 if some have none"
    }
  ])
)

const told = ({ failed, opened, product, there }: Repriced): string =>
  [
    `${counted(opened, "branch", "branches")} opened under version ${product.version}, ${count(there)} were there.`,
    ...failed.map(
      ({ count: left, example, reason }) =>
        `${count(left)} without a branch, such as ${example}: ${reason}`
    )
  ].join("\n")
