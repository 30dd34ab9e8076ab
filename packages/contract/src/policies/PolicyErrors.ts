/** What the routes that work on a policy may answer, by what they do. */
import { ApiError } from "../api/ApiError.ts"

/** Reading a policy or what hangs on it. */
export const readErrors = [
  ApiError.PolicyNotFound,
  ApiError.BranchNotFound,
  ApiError.InvalidBranch
] as const

/** The same, of what was known at an instant. */
export const viewErrors = [...readErrors, ApiError.InvalidEffectiveDate] as const

/** A command on a policy, on one of its branches, once. */
export const commandErrors = [
  ...readErrors,
  ApiError.BranchClosed,
  ApiError.Conflict,
  ApiError.IdempotencyKeyInUse,
  ApiError.IdempotencyKeyReused
] as const

/** Changing data of a policy, where a signed one needs a branch. */
export const dataErrors = [
  ApiError.BranchRequired,
  ApiError.InvalidCustomField,
  ApiError.InvalidEffectiveDate,
  ApiError.InvalidTransition
] as const

/** The product's word on a policy's data. */
export const saleErrors = [
  ApiError.InvalidBillingAssignment,
  ApiError.InvalidCustomField,
  ApiError.InvalidEffectiveDate,
  ApiError.InvalidInvoicingConfig
] as const

/**
 * Why there is no price, beyond the fields: a tier, peril or firm that isn't there, or another program
 * that prices the product and does not answer well.
 */
export const priceErrors = [
  ApiError.InvalidAmount,
  ApiError.InvalidReference,
  ApiError.QuoteProviderUnavailable
] as const
