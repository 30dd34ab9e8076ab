/** `quittance product simulate`: what a draft of a product would do to the prices of live policies. */
import { parse } from "@quittance/domain/portfolio/PolicySelection"
import type { Product } from "@quittance/domain/products/Product"
import type { SimulatedTerm } from "@quittance/operations/portfolio/SimulatedPrice"
import { Simulation } from "@quittance/operations/portfolio/Simulation"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import * as Wiring from "@quittance/operations/Wiring"
import { Console, Effect, FileSystem, Layer, Option, Path, Result, Runtime, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as AdminDatabase from "../admin/AdminDatabase.ts"
import { forTenant, tenant } from "../admin/AdminTenant.ts"
import { asProblems, problem } from "../Problem.ts"
import * as Progress from "../terminal/Progress.ts"
import { broken, NotPublishable } from "./ProductCheck.ts"
import { load } from "./ProductFile.ts"
import { type SimulationAnswer, toJson } from "./SimulationAnswer.ts"
import { chart } from "./SimulationChart.ts"
import { report } from "./SimulationReport.ts"

const layer = Layer.mergeAll(Simulation.layer, TenantsRepo.layer).pipe(
  Layer.provide(Wiring.layer),
  Layer.provide([Ids.layer, ProductsRepo.layer]),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

/** Some policies have no price under the draft; which and why is printed already. */
export class SomeUnpriced extends Schema.TaggedError<SomeUnpriced>()("SomeUnpriced", {}) {
  override readonly [Runtime.errorReported] = false
  override readonly [Runtime.errorExitCode] = 2
}

const width = 100

export const simulate = Command.make(
  "simulate",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("The draft, such as products/motor-fr.json")
    ),
    tenant,
    policies: Flag.String("policies").pipe(
      Flag.withDescription(
        "Which live policies: `all`, or criteria such as status=POLICY_STARTED and sample=1000, each in a --policies of its own"
      ),
      Flag.atLeast(1)
    ),
    term: Flag.Literals("term", ["running", "next"]).pipe(
      Flag.withDescription(
        "Price the running term from its start, or the next one from its renewal"
      ),
      Flag.withDefault("running" as const)
    ),
    svg: Flag.String("svg").pipe(
      Flag.withDescription("Where the picture goes; beside the draft unless said"),
      Flag.optional
    ),
    json: Flag.String("json").pipe(
      Flag.withDescription("Where the figures go, for machines"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ file, json, policies, svg, tenant, term }) {
    const selection = yield* asProblems(Effect.fromResult(parse(policies)))
    const draft = yield* priceable(file)
    const progress = yield* Progress.start("Pricing policies")
    const request = { draft, selection, term: terms[term] }
    const simulated = yield* forTenant(
      tenant,
      Simulation.use(({ run }) => run(request, progress))
    ).pipe(Effect.provide(layer), asProblems)
    const answer: SimulationAnswer = { ...simulated, ...request, tenant }
    const picture = Option.isSome(svg) ? svg.value : yield* beside(file, draft)
    yield* write(picture, chart(answer))
    if (Option.isSome(json)) {
      yield* write(json.value, `${JSON.stringify(toJson(answer), undefined, 2)}\n`)
    }
    yield* Console.log(`${report(answer, width)}\n\nThe picture is ${picture}.`)
    if (answer.unpriced.count > 0) return yield* new SomeUnpriced()
  })
).pipe(
  Command.withDescription("Price live policies under a draft, and tell by how much they change"),
  Command.withExamples([
    {
      command: "quittance product simulate motor-fr.json --tenant acme --policies all",
      description: "Ends with 0; with 2 if a policy has no price; with 1 if nothing was simulated"
    },
    {
      command:
        "quittance product simulate motor-fr.json --tenant acme --policies status=POLICY_STARTED --policies sample=1000 --term next",
      description: "A thousand policies that have started, as they would be renewed"
    }
  ])
)

const terms = { running: "RUNNING", next: "NEXT" } as const satisfies Record<string, SimulatedTerm>

/** The draft of a file; its faults are told as `product check` does. */
const priceable = Effect.fnUntraced(function* (file: string) {
  const { name, product } = yield* load(file)
  if (Result.isFailure(product)) {
    yield* Console.log(broken(name, product.failure.faults))
    return yield* new NotPublishable()
  }
  const { quoteProvider } = product.success
  if (quoteProvider !== undefined) {
    return yield* problem(
      `${name} is priced by ${quoteProvider.id}, which a simulation would ask for every policy; only drafts that the built-in engine prices are simulated.`
    )
  }
  return product.success
})

const beside = Effect.fnUntraced(function* (file: string, { productId }: Product) {
  const path = yield* Path.Path
  return path.join(path.dirname(file), `${productId}-simulation.svg`)
})

const write = Effect.fnUntraced(function* (name: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs
    .writeFileString(name, text)
    .pipe(Effect.mapError((cause) => problem(`${name} can't be written; check its folder.`, cause)))
})
