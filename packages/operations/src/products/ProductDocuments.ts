/** Whether the documents of a product can be made; the area of documents implements it. */
import type { Product, ProductFault } from "@quittance/domain/products/Product"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Context, type Effect } from "effect"

export class ProductDocuments extends Context.Service<
  ProductDocuments,
  {
    /** What stands against its documents, each made of the product's own examples. */
    faults(product: Product): Effect.Effect<ReadonlyArray<ProductFault>, never, CurrentTenant>
  }
>()("@quittance/operations/ProductDocuments") {}
