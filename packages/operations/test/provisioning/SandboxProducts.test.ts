import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { Effect, FileSystem, Layer, Path } from "effect"
import { SandboxProducts } from "../../src/provisioning/SandboxProducts.ts"
import * as Authorization from "../Authorization.ts"

const TestLayer = SandboxProducts.layer.pipe(
  Layer.provideMerge(ProductsRepo.layer),
  Layer.provideMerge(Authorization.TestLayer),
  Layer.provideMerge(NodeServices.layer)
)

const shipped = new URL("../../../../products", import.meta.url).pathname

/** A folder with one document: the shipped motor insurance with something changed in its text. */
const folderWith = Effect.fnUntraced(function* (change: (text: string) => string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped()
  const text = yield* fs.readFileString(path.join(shipped, "motor-fr.json"))
  yield* fs.writeFileString(path.join(folder, "motor.json"), change(text))
  return folder
})

layer(TestLayer)("SandboxProducts", (it) => {
  it.effect("refuses a folder that is not there, and says which", () =>
    Effect.gen(function* () {
      const products = yield* SandboxProducts
      const error = yield* Effect.flip(products.read("/nowhere/at/all"))
      assert.include(error.message, "/nowhere/at/all")
    })
  )

  it.effect("refuses a document that is no JSON", () =>
    Effect.gen(function* () {
      const products = yield* SandboxProducts
      const folder = yield* folderWith((text) => text.slice(1))
      const error = yield* Effect.flip(products.read(folder))
      assert.include(error.message, "motor.json")
    })
  )

  it.effect("refuses a document with a fault and says where it is", () =>
    Effect.gen(function* () {
      const products = yield* SandboxProducts
      const folder = yield* folderWith((text) =>
        text.replace('"timeZone": "Europe/Paris"', '"timeZone": "Europe/Paname"')
      )
      const error = yield* Effect.flip(products.read(folder))
      assert.include(error.message, "at /timeZone,")
    })
  )

  it.effect("publishes the shipped products for a tenant", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const products = yield* SandboxProducts
        const documents = yield* products.read(shipped)
        yield* Authorization.inTransaction(products.publish(documents))
        const sold = yield* ProductsRepo.use((repo) => repo.list)
        assert.deepStrictEqual(sold, documents)
        assert.includeMembers(
          sold.map(({ productId }) => productId),
          ["home-fr", "liability-fr", "motor-fr"]
        )
      })
    )
  )
})
