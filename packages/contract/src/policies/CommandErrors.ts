/** What the routes that work on a policy may answer, by what they do. */
import { policyErrors } from "./PolicyErrors.ts"
import { productErrors } from "../products/ProductErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"

/** Reading a policy or what hangs on it. */
export const readErrors = [
  policyErrors.PolicyNotFound,
  policyErrors.BranchNotFound,
  policyErrors.InvalidBranch
] as const

/** The same, of what was known at an instant. */
export const viewErrors = [...readErrors, requestErrors.InvalidEffectiveDate] as const

/** A command on a policy, on one of its branches, once. */
export const commandErrors = [
  ...readErrors,
  policyErrors.BranchClosed,
  requestErrors.Conflict,
  requestErrors.IdempotencyKeyInUse,
  requestErrors.IdempotencyKeyReused
] as const

/** Changing data of a policy, where a signed one needs a branch. */
export const dataErrors = [
  policyErrors.BranchRequired,
  productErrors.InvalidCustomField,
  requestErrors.InvalidEffectiveDate,
  requestErrors.InvalidTransition
] as const

/** The product's word on a policy's data. */
export const saleErrors = [
  policyErrors.InvalidBillingAssignment,
  productErrors.InvalidCustomField,
  requestErrors.InvalidEffectiveDate,
  productErrors.InvalidInvoicingConfig
] as const

/**
 * Why there is no price, beyond the fields: a tier, peril or firm that isn't there, or another program
 * that prices the product and does not answer well.
 */
export const priceErrors = [
  requestErrors.InvalidAmount,
  requestErrors.InvalidReference,
  productErrors.QuoteProviderUnavailable
] as const
