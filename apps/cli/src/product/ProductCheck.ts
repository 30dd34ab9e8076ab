/** `quittance product check`: whether documents may be published, and every fault of those that may not. */
import type { Product, ProductFault } from "@quittance/domain/products/Product"
import * as Renderer from "@quittance/renderer/Renderer"
import { Console, Effect, Option, Result, Runtime, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as ExampleDocuments from "../documents/ExampleDocuments.ts"
import { asProblems } from "../Problem.ts"
import { format } from "../terminal/Money.ts"
import { counted } from "../terminal/Numbers.ts"
import { examplePrices, load, type ProductFile } from "./ProductFile.ts"

/** The faults are printed already; what is left to say is the exit code. */
export class NotPublishable extends Schema.TaggedError<NotPublishable>()("NotPublishable", {}) {
  override readonly [Runtime.errorReported] = false
}

export const check = Command.make(
  "check",
  {
    files: Argument.String("file").pipe(
      Argument.withDescription("Product documents, such as products/motor-fr.json"),
      Argument.variadic({ min: 1 })
    ),
    documents: Flag.String("documents").pipe(
      Flag.withDescription("A folder in which PDF files of the examples are left"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ documents: folder, files }) {
    const documents = yield* Effect.forEach(files, load)
    yield* Console.log(documents.map(report).join("\n\n"))
    if (documents.some(({ product }) => Result.isFailure(product))) {
      return yield* new NotPublishable()
    }
    if (Option.isSome(folder)) yield* asProblems(leaveAll(documents, folder.value))
  })
).pipe(Command.withDescription("Tell every fault of product documents, each at its JSON pointer"))

/** Every document of the products, of the templates beside their files. */
const leaveAll = (documents: ReadonlyArray<ProductFile>, folder: string) =>
  Effect.forEach(
    documents,
    Effect.fnUntraced(function* ({ name, product }) {
      const templates = yield* ExampleDocuments.besideFile(name)
      // Those with faults were reported before.
      yield* ExampleDocuments.leave({ product: Result.getOrThrow(product), templates, folder })
    }),
    { discard: true }
  ).pipe(Effect.provide(Renderer.layer))

const report = ({ name, product }: ProductFile): string =>
  Result.match(product, {
    onFailure: ({ faults }) => broken(name, faults),
    onSuccess: (sound) => publishable(name, sound)
  })

/** Every fault of a document that may not be published. */
export const broken = (name: string, faults: ReadonlyArray<ProductFault>): string =>
  [
    `${name}: ${counted(faults.length, "fault")}`,
    ...faults.map(({ message, pointer }) => `  ${pointer === "" ? "/" : pointer}\n    ${message}`)
  ].join("\n")

const publishable = (name: string, product: Product): string =>
  [
    `${name}: ${product.productId} ${product.version} may be published`,
    `  ${counted(product.perils.length, "peril")}, ${counted(product.tiers.length, "tier")}, ${counted(product.taxes.length, "tax", "taxes")}; by its examples, from ${product.validFrom}:`,
    ...examplePrices(product, product.validFrom).map(
      ({ tier, total }) =>
        `  ${tier.id}: ${total === undefined ? unpriced(product) : format(total, product.currency)}`
    )
  ].join("\n")

const unpriced = ({ quoteProvider }: Product): string =>
  quoteProvider === undefined ? "no price" : `priced by ${quoteProvider.id}`
