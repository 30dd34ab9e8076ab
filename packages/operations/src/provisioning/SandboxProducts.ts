/** The example products of a sandbox: documents of a folder, read and checked before they are sold. */
import { fromDateTime } from "@quittance/domain/values/Instant"
import type { Product, ProductFault } from "@quittance/domain/products/Product"
import * as Publishable from "@quittance/pricing/Publishable"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { Context, DateTime, Effect, FileSystem, Layer, Path, Result, Schema } from "effect"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class ProductFileError extends Schema.TaggedError<ProductFileError>()("ProductFileError", {
  file: Schema.String,
  problem: Schema.String
}) {
  override get message() {
    return `The product in ${this.file} can't be sold: ${this.problem}`
  }
}

export class SandboxProducts extends Context.Service<
  SandboxProducts,
  {
    /** The products of the folder's `*.json`, by file name; fails at the first that has faults. */
    read(folder: string): Effect.Effect<ReadonlyArray<Product>, ProductFileError>
    /** Publishes products for the current tenant. */
    publish(products: ReadonlyArray<Product>): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/SandboxProducts") {
  static readonly layer = Layer.effect(
    SandboxProducts,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const repo = yield* ProductsRepo

      const readFile = Effect.fnUntraced(function* (file: string) {
        const fail = (problem: string) => new ProductFileError({ file, problem })
        const text = yield* Effect.mapError(fs.readFileString(file), ({ message }) => fail(message))
        const definition = yield* Effect.mapError(decodeJson(text), ({ message }) => fail(message))
        return yield* Effect.fromResult(
          Result.mapError(Publishable.read(definition), ({ faults }) => fail(describe(faults)))
        )
      })

      const read = Effect.fn("SandboxProducts.read")(function* (folder: string) {
        const names = yield* Effect.mapError(
          fs.readDirectory(folder),
          ({ message }) => new ProductFileError({ file: folder, problem: message })
        )
        const documents = names.filter((name) => name.endsWith(".json")).sort()
        return yield* Effect.forEach(documents, (name) => readFile(path.join(folder, name)))
      })

      const publish = Effect.fn("SandboxProducts.publish")(function* (
        products: ReadonlyArray<Product>
      ) {
        const publishedAt = fromDateTime(yield* DateTime.now)
        for (const product of products) yield* repo.publish(product, publishedAt)
      })

      return SandboxProducts.of({ read, publish })
    })
  )
}

const decodeJson = Schema.decodeEffect(Schema.fromJsonString(Schema.Unknown))

const describe = (faults: ReadonlyArray<ProductFault>): string =>
  faults
    .map(({ message, pointer }) => `at ${pointer === "" ? "its root" : pointer}, ${message}`)
    .join(" ")
