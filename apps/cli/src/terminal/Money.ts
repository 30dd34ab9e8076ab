/** Amounts as people read them, from the integers that they are. */

/** Minor units as an amount of the currency, `€1,234.56`; exact, since no float is in between. */
export const format = (minorUnits: number, currency: string): string => {
  const formatter = new Intl.NumberFormat("en-IE", { style: "currency", currency })
  const places = formatter.resolvedOptions().maximumFractionDigits ?? 0
  const digits = String(Math.abs(minorUnits)).padStart(places + 1, "0")
  const [whole, fraction] = [digits.slice(0, digits.length - places), digits.slice(-places)]
  const decimal = `${minorUnits < 0 ? "-" : ""}${whole}${places === 0 ? "" : `.${fraction}`}`
  // The formatter takes decimal texts of any length (ES2023); its type asks for literals.
  return formatter.format(decimal as `${number}`)
}
