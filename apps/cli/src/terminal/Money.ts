/** Amounts as people read them, from the integers that they are. */
import { language } from "./Numbers.ts"

/**
 * Minor units as an amount of the currency, `€1,234.56`, exact, since no float is in between. With `signed` a plus stands before what is more than nothing.
 */
export const format = (
  minorUnits: number | bigint,
  currency: string,
  { signed = false }: { readonly signed?: boolean } = {}
): string => {
  const formatter = new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    signDisplay: signed ? "exceptZero" : "auto"
  })
  const places = formatter.resolvedOptions().maximumFractionDigits ?? 0
  const size = minorUnits < 0 ? -minorUnits : minorUnits
  const digits = String(size).padStart(places + 1, "0")
  const [whole, fraction] = [digits.slice(0, digits.length - places), digits.slice(-places)]
  const decimal = `${minorUnits < 0 ? "-" : ""}${whole}${places === 0 ? "" : `.${fraction}`}`
  // The formatter takes decimal texts of any length (ES2023); its type asks for literals.
  return formatter.format(decimal as `${number}`)
}
