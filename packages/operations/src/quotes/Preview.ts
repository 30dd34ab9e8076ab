import type { PreviewQuote } from "@quittance/domain/quotes/QuoteRequests"
import { CurrentCaller, type Forbidden, type UserNotFound } from "@quittance/domain/requests/Caller"
import type { CustomField } from "@quittance/domain/values/CustomField"
import { addDays } from "@quittance/domain/values/LocalDate"
import type { UnknownProduct } from "@quittance/domain/products/Product"
import type { QuoteResult } from "@quittance/domain/products/Quote"
import type { QuoteProviderUnavailable } from "@quittance/domain/products/QuoteProvider"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import type { PriceInput, PricingFailure } from "@quittance/pricing/PriceInput"
import { Context, Effect, Layer } from "effect"
import { BrokerageFees } from "../policies/BrokerageFees.ts"
import { checkInvoicing, checkTermLength, withinWindow } from "../policies/PolicyChecks.ts"
import { quoteContent } from "./Pricing.ts"
import { QuoteProvider } from "../products/QuoteProvider.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvalidInvoicingConfig } from "@quittance/domain/products/InvoicingConfig"

export class Preview extends Context.Service<
  Preview,
  {
    /** Prices what a comparison site asks for. */
    quote(
      input: PreviewQuote
    ): Effect.Effect<
      QuoteResult,
      | Forbidden
      | InvalidInvoicingConfig
      | PricingFailure
      | QuoteProviderUnavailable
      | UnknownProduct
      | UserNotFound,
      CurrentTenant | CurrentCaller
    >
  }
>()("@quittance/operations/Preview") {
  static readonly layer = Layer.effect(
    Preview,
    Effect.gen(function* () {
      const brokerageFees = yield* BrokerageFees
      const clock = yield* TenantClockRepo
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const products = yield* ProductsRepo
      const provider = yield* QuoteProvider

      const quote = Effect.fn("Preview.quote")(function* (input: PreviewQuote) {
        const caller = yield* CurrentCaller
        // A preview names no record: a client's scope is enough.
        if (caller._tag !== "Client") {
          yield* grants.coverage("quote.preview")
          if (input.brokerageFees !== undefined) yield* grants.coverage("quote.fee")
        }
        const product = yield* products.current(input.productId)
        yield* brokerageFees.check(input.brokerageFees)
        const { now } = yield* clock.read
        const { timeZone } = product
        const tomorrow = startOfDay(addDays(localDate(now, timeZone), 1), timeZone)
        const startedAt = input.startedAt ?? tomorrow
        const periodDuration = input.periodDuration ?? product.periodDuration
        const invoicingConfig = input.invoicingConfig ?? product.invoicing.default
        yield* withinWindow(product, "start", "startedAt", startedAt, now)
        yield* checkInvoicing(product, invoicingConfig)
        yield* checkTermLength(product, periodDuration)
        const risk: PriceInput = {
          startDate: localDate(startedAt, timeZone),
          periodDuration,
          customFields: toRecord(input.customFields),
          customers: input.customers.map(({ customFields, role }) => ({
            role,
            customFields: toRecord(customFields)
          })),
          assets: input.assets.map(({ customFields }) => ({
            customFields: toRecord(customFields)
          })),
          tierId: input.tierId,
          perils: input.perils,
          brokerageFees: input.brokerageFees
        }
        const priced = yield* provider.price({ product, periodDuration, input: risk })
        const term = { startedAt, periodDuration, invoicingConfig }
        const identity = { id: ids.next("quote"), entityId: "preview" }
        const content = yield* quoteContent(product, term, priced, identity)
        const { premiumItems: _leaves, ...result } = content
        return result
      })

      return Preview.of({ quote })
    })
  ).pipe(
    Layer.provide([
      BrokerageFees.layer,
      GrantsRepo.layer,
      QuoteProvider.layer,
      TenantClockRepo.layer
    ])
  )
}

const toRecord = (fields: ReadonlyArray<CustomField>) =>
  Object.fromEntries(fields.map(({ key, value }) => [key, value]))
