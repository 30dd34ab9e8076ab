/** The versions of a tenant's products: published, and read as they were written. */
import type { ProductDocument } from "@quittance/domain/products/ProductSchema"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { Instant } from "@quittance/domain/values/Instant"
import { make, type Page, type PageRequest } from "@quittance/domain/values/Page"
import {
  InvalidProduct,
  type Product,
  type ProductFault,
  ProductNotFound
} from "@quittance/domain/products/Product"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import { FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { ProductVersionsRepo } from "@quittance/persistence/products/ProductVersionsRepo"
import { QuoteProvidersRepo } from "@quittance/persistence/products/QuoteProvidersRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import * as Publishable from "@quittance/pricing/Publishable"
import { Context, Effect, Layer, Result } from "effect"
import { tenantPermission } from "../access/TenantPermission.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { ProductDocuments } from "./ProductDocuments.ts"

export interface PublishedVersion {
  readonly productId: string
  readonly version: string
  readonly publishedAt: Instant
}

type Scoped = CurrentTenant | CurrentCaller

export class ProductVersions extends Context.Service<
  ProductVersions,
  {
    /**
     * Publishes a version. A document that is published already, word for word, answers what it did
     * then; another one under the same version is a fault of the document.
     */
    publish(
      productId: string,
      definition: ProductDocument
    ): Effect.Effect<
      PublishedVersion,
      Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused | InvalidProduct,
      Scoped | CurrentRequest
    >
    /** A version's whole document; of the one that is sold now, unless it is said. */
    definition(
      productId: string,
      version: string | undefined
    ): Effect.Effect<Product, Forbidden | ProductNotFound, Scoped>
    /** The newest first. */
    list(
      productId: string,
      page: PageRequest
    ): Effect.Effect<Page<PublishedVersion>, Forbidden | ProductNotFound, Scoped>
  }
>()("@quittance/operations/ProductVersions") {
  static readonly layer = Layer.effect(
    ProductVersions,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const documents = yield* ProductDocuments
      const firms = yield* FirmsRepo
      const grants = yield* GrantsRepo
      const products = yield* ProductsRepo
      const providers = yield* QuoteProvidersRepo
      const versions = yield* ProductVersionsRepo

      const permit = tenantPermission(grants)

      /** Only the operator sets up quote providers; they stay while a version is published. */
      const providerFaults = Effect.fnUntraced(function* ({ quoteProvider }: Product) {
        if (quoteProvider === undefined || (yield* providers.keep(quoteProvider.id))) return []
        return [unknownProvider]
      })

      const firmFaults = Effect.fnUntraced(function* ({ brokerageFee }: Product) {
        const { firms: earning = [] } = brokerageFee
        if (earning.length === 0) return []
        const known = yield* firms.existing(earning.map(({ brokerageFirmId }) => brokerageFirmId))
        return earning.flatMap(({ brokerageFirmId }, index) =>
          known.has(brokerageFirmId) ? [] : [unknownFirm(index)]
        )
      })

      /** What a document names beside itself is the tenant's. */
      const requireNamed = Effect.fnUntraced(function* (
        product: Product,
        documentFaults: ReadonlyArray<ProductFault>
      ) {
        const faults = [
          ...documentFaults,
          ...(yield* providerFaults(product)),
          ...(yield* firmFaults(product))
        ]
        if (faults.length > 0) return yield* new InvalidProduct({ faults })
      })

      /**
       * Documents take long to make, so they are made before the transaction: not for those who may not
       * publish, who are refused in it, nor of a version that is there already.
       */
      const documentFaultsOf = Effect.fnUntraced(
        function* (read: Result.Result<Product, InvalidProduct>) {
          if (Result.isFailure(read)) return []
          const { productId, version } = read.success
          yield* permit("product.write")
          const present = yield* versions.find(productId, version)
          return present === undefined ? yield* documents.faults(read.success) : []
        },
        Effect.catchTag("Forbidden", () => Effect.succeed([]))
      )

      const publish = Effect.fn("ProductVersions.publish")(function* (
        productId: string,
        definition: ProductDocument
      ) {
        const read = readFor(productId, definition)
        const documentFaults = yield* documentFaultsOf(read)
        const decide = Effect.fnUntraced(function* () {
          const product = yield* Effect.fromResult(read)
          yield* versions.lock(productId)
          const present = yield* versions.find(productId, product.version)
          if (present !== undefined) {
            if (canonicalJson(present.definition) !== canonicalJson(product)) {
              return yield* new InvalidProduct({ faults: [taken(product.version)] })
            }
            return publishedOf(present)
          }
          const latest = yield* versions.find(productId, undefined)
          if (latest !== undefined && latest.definition.currency !== product.currency) {
            return yield* new InvalidProduct({
              faults: [otherCurrency(latest.definition.currency)]
            })
          }
          yield* requireNamed(product, documentFaults)
          const { now } = yield* clock.read
          yield* products.publish(product, now)
          const recordId = `${productId}@${product.version}`
          yield* audit.record({ action: "product.publish", recordId, after: product })
          return { productId, version: product.version, publishedAt: now }
        })
        return yield* command.run({ authorize: permit("product.write"), decide })
      })

      const definition = Effect.fn("ProductVersions.document")(function* (
        productId: string,
        version: string | undefined
      ) {
        const found = yield* versions.find(productId, version)
        if (found === undefined) return yield* new ProductNotFound({ productId })
        yield* permit("product.read")
        return found.definition
      })

      const list = Effect.fn("ProductVersions.list")(function* (
        productId: string,
        page: PageRequest
      ) {
        const { rows, total } = yield* versions.list(productId, page)
        if (total === 0) return yield* new ProductNotFound({ productId })
        yield* permit("product.read")
        return make(rows, total, page)
      })

      return ProductVersions.of({ publish, definition, list })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      FirmsRepo.layer,
      GrantsRepo.layer,
      ProductVersionsRepo.layer,
      QuoteProvidersRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

const publishedOf = ({ productId, publishedAt, version }: PublishedVersion): PublishedVersion => ({
  productId,
  version,
  publishedAt
})

const unknownProvider = {
  pointer: "/quoteProvider/id",
  message: "Name a quote provider of the tenant; the operator of the service sets them up."
}

const unknownFirm = (index: number) => ({
  pointer: `/brokerageFee/firms/${index}/brokerageFirmId`,
  message: "Name a brokerage firm of the tenant; `GET /brokerage-firms` lists them."
})

const taken = (version: string) => ({
  pointer: "/version",
  message: `Choose another; ${version} is published with other contents, and never changes.`
})

/** Balances of policies that are billed already would pay for what is due in other money. */
const otherCurrency = (currency: string) => ({
  pointer: "/currency",
  message: `Keep ${currency}, in which policies are billed; give what is sold in other money a productId of its own.`
})

/** The product of a document, which has to be the one that the path names. */
const readFor = (
  productId: string,
  definition: ProductDocument
): Result.Result<Product, InvalidProduct> =>
  Result.flatMap(Publishable.read(definition), (product) =>
    product.productId === productId
      ? Result.succeed(product)
      : Result.fail(
          new InvalidProduct({
            faults: [{ pointer: "/productId", message: `Name ${productId}, as the path does.` }]
          })
        )
  )
