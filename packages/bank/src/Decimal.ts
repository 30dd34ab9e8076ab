/** Amounts as banks write them, to and from whole minor units: never through a float. */

/** Minor units with two decimals, such as `12.50`. Only for amounts of 0 and more. */
export const decimalText = (amount: number): string => {
  const digits = String(amount).padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * The minor units that a decimal names, with two decimals for each currency; `undefined` where it is no
 * decimal, has a fraction of a minor unit, or is beyond the exact integers. A comma counts as a point.
 */
export const minorUnits = (text: string): number | undefined => {
  const parts = /^(\d{0,18})(?:[.,](\d*))?$/u.exec(text.trim())
  if (parts === null || (parts[1] === "" && (parts[2] ?? "") === "")) return undefined
  const fraction = (parts[2] ?? "").replace(/0+$/u, "")
  if (fraction.length > 2) return undefined
  const amount = Number(`${parts[1]}${fraction.padEnd(2, "0")}`)
  return Number.isSafeInteger(amount) ? amount : undefined
}
