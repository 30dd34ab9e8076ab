/**
 * The products that a sandbox sells from its first start on stand the checks of publishing. A start does
 * without them: they set each document of each product, which takes seconds.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { productDocumentsLayer } from "@quittance/operations/documents/ExampleDocuments"
import { ProductDocuments } from "@quittance/operations/products/ProductDocuments"
import { SandboxProducts } from "@quittance/operations/provisioning/SandboxProducts"
import * as Renderer from "@quittance/renderer/Renderer"
import { Effect, Layer } from "effect"
import { fileURLToPath } from "node:url"
import * as World from "../../../packages/operations/test/World.ts"

const folder = fileURLToPath(new URL("../../../products", import.meta.url))

const TestLayer = Layer.mergeAll(productDocumentsLayer, SandboxProducts.layer).pipe(
  Layer.provide(Renderer.layer),
  Layer.provideMerge(World.layer),
  Layer.provideMerge(NodeServices.layer)
)

layer(TestLayer, { excludeTestServices: true, timeout: "5 minutes" })(
  "the products of a sandbox",
  (it) => {
    it.effect("could not be published with a template that is not there", () =>
      Effect.gen(function* () {
        const { tenant } = yield* World.make()
        const [product] = yield* SandboxProducts.use((products) => products.read(folder))
        const [first, ...others] = product!.documents!
        const source = { template: "none", version: "1" }
        const documents = [{ ...first!, source }, ...others]
        const faults = yield* ProductDocuments.use((all) =>
          all.faults({ ...product!, documents })
        ).pipe(Effect.provideService(CurrentTenant, tenant))
        assert.deepStrictEqual(
          faults.map(({ pointer }) => pointer),
          ["/documents/0/source"]
        )
      })
    )

    it.effect("can all be published: each of their documents is made of their examples", () =>
      Effect.gen(function* () {
        const { tenant } = yield* World.make()
        const products = yield* SandboxProducts.use((all) => all.read(folder))
        assert.isAtLeast(products.length, 8)
        for (const product of products) {
          const faults = yield* ProductDocuments.use((all) => all.faults(product)).pipe(
            Effect.provideService(CurrentTenant, tenant)
          )
          assert.deepStrictEqual(faults, [], product.productId)
          assert.isAbove(product.documents?.length ?? 0, 0, product.productId)
        }
      })
    )
  }
)
