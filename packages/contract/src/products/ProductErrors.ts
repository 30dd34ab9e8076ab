/** The errors of the area products on the wire. The last argument of each shows its details. */
import * as Derogation from "@quittance/domain/products/Derogation"
import * as InvoicingConfig from "@quittance/domain/products/InvoicingConfig"
import * as Product from "@quittance/domain/products/Product"
import * as ProductFields from "@quittance/domain/products/ProductFields"
import * as Quote from "@quittance/domain/products/Quote"
import * as QuoteProvider from "@quittance/domain/products/QuoteProvider"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const productErrors = {
  QuoteNotFound: wireError(
    Quote.QuoteNotFound,
    404,
    "QUOTE_NOT_FOUND",
    "The tenant has no such quote.",
    { quoteId: id("quote") }
  ),
  ProductNotFound: wireError(
    Product.ProductNotFound,
    404,
    "PRODUCT_NOT_FOUND",
    "The path names no product of the tenant.",
    { productId: "motor-de" }
  ),
  QuoteOutdated: wireError(
    Quote.QuoteOutdated,
    409,
    "QUOTE_OUTDATED",
    "Priced data changed after the quote, or the quote expired.",
    { reason: "EXPIRED" }
  ),
  DerogationRequired: wireError(
    Derogation.DerogationRequired,
    409,
    "DEROGATION_REQUIRED",
    "A rule of the product refers the risk to an underwriter; `details.derogations` lists the rules.",
    {
      derogations: [{ id: "LOSS_RATIO", label: "Twice the premiums went into claims" }]
    }
  ),
  InvalidInvoicingConfig: wireError(
    InvoicingConfig.InvalidInvoicingConfig,
    422,
    "INVALID_INVOICING_CONFIG",
    "The product does not offer this way of invoicing.",
    { reason: "Choose one of the frequencies: YEARLY, MONTHLY." }
  ),
  InvalidProduct: wireError(
    Product.InvalidProduct,
    422,
    "INVALID_PRODUCT",
    "A product document has faults; `details.faults` lists each with its JSON pointer.",
    {
      faults: [{ pointer: "/tiers/0/perils/1", message: "There is no such peril." }]
    }
  ),
  InvalidCustomField: wireError(
    ProductFields.InvalidCustomField,
    422,
    "INVALID_CUSTOM_FIELD",
    "A custom field is unknown to the product, of a wrong type, outside its rules, or missing.",
    {
      issues: [
        {
          path: "/customFields/bonusMalus",
          message: "Give a value; the product needs it to quote."
        }
      ]
    }
  ),
  InvalidRole: wireError(
    Product.InvalidRole,
    422,
    "INVALID_ROLE",
    "The product has no such customer role.",
    { role: "PILOT", accepted: ["POLICYHOLDER", "DRIVER", "PAYER"] }
  ),
  UnknownProduct: wireError(
    Product.UnknownProduct,
    422,
    "UNKNOWN_PRODUCT",
    "`productId` is not configured for the tenant.",
    { productId: "motor-de" }
  ),
  QuoteProviderUnavailable: wireError(
    QuoteProvider.QuoteProviderUnavailable,
    503,
    "QUOTE_PROVIDER_UNAVAILABLE",
    "The program that prices the product gave no good answer; `details.reason` says how it failed.",
    { reason: "TIMEOUT" }
  )
} as const
