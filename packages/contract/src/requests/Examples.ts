/** What the published document shows as examples: one sale of the motor product that ships with us. */

/** An identifier as the document shows it, such as `policy_test_346789ABCDEFGHJKLMNPQ`. */
export const exampleId = (prefix: string) => `${prefix}_test_346789ABCDEFGHJKLMNPQ`

/** The fields of a risk. */
export const exampleRisk = [
  { key: "bonusMalus", value: 68 },
  { key: "claims", value: 0 },
  { key: "annualMileage", value: 12_000 }
]
/** The fields of a driver. */
export const exampleDriver = [
  { key: "birthDate", value: "1988-04-12" },
  { key: "licenceDate", value: "2007-06-20" }
]
/** The fields of a vehicle. */
export const exampleVehicle = [
  { key: "make", value: "Renault" },
  { key: "model", value: "Clio V" }
]
/** What a customer chooses. */
export const exampleChoice = {
  tierId: "COMPREHENSIVE",
  perils: [{ id: "GLASS", included: true }]
}

/** The secret of a link, and the identifier of a sign-in: 32 random bytes in base64url. */
export const exampleSecret = "Vd3tB0Zq7uX1yR9mK5wN2sP8aC4eG6hJfLxTzQvWoYk"
