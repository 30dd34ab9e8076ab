/** What a new tenant may be made of; tenants that were made before keep what they have. */
import { Schema } from "effect"
import { Currency } from "../values/Amount.ts"

const longestName = 200

/** What people call the tenant: in letters, on pages. */
export const TenantName = Schema.String.check(
  Schema.makeFilter(
    (name) =>
      name.trim() === name && name !== "" && name.length <= longestName && !/\p{Cc}/u.test(name),
    { message: `Expected a name of at most ${longestName} characters on one line` }
  )
)

/** Languages that are written somewhere: `zz-ZZ` has the form of one and is none. */
export const TenantLocale = Schema.String.check(
  Schema.makeFilter((locale) => isLocale(locale), {
    message: "Expected a language, as in BCP 47: fr-FR"
  })
)

const isLocale = (text: string): boolean => {
  try {
    return (
      Intl.getCanonicalLocales(text)[0] === text &&
      Intl.DateTimeFormat.supportedLocalesOf(text).length === 1
    )
  } catch {
    return false
  }
}

/** Codes of ISO 4217 for no currency, and for tests. */
const noCurrencies = new Set(["XXX", "XTS"])
const currencies = new Set(Intl.supportedValuesOf("currency"))

/** A currency in which payments can be made. */
export const TenantCurrency = Currency.check(
  Schema.makeFilter((code) => currencies.has(code) && !noCurrencies.has(code), {
    message: "Expected a currency of ISO 4217, such as EUR"
  })
)
