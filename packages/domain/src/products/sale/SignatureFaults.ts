/** What is wrong with how a product is signed. */
import { unknownName } from "../../values/ClosestName.ts"
import type { Product, ProductFault } from "../Product.ts"
import { duplicates } from "../ProductFieldFaults.ts"

export function* signatureFaults({
  customerRoles,
  signature
}: Pick<Product, "customerRoles" | "signature">): Generator<ProductFault, void> {
  if (signature === undefined) return
  const { delivery, level, otp, remindAfterDays, signers } = signature
  if (level !== "SIMPLE") {
    const message = `Choose SIMPLE; the built-in provider gives no ${level} signatures of persons.`
    yield { pointer: "/signature/level", message }
  }
  if (otp === "SMS") {
    yield {
      pointer: "/signature/otp",
      message: "Choose EMAIL or NONE; nothing sends text messages."
    }
  }
  if (delivery === "LINK" && otp === "NONE") {
    yield {
      pointer: "/signature/otp",
      message: "Choose EMAIL; without a code who hands out the link could sign with it."
    }
  }
  if (delivery !== "EMAIL" && remindAfterDays.length > 0) {
    yield {
      pointer: "/signature/remindAfterDays",
      message: "Leave the list empty; the program that tells the signers reminds them, too."
    }
  }
  const roles = signers.map(({ role }) => role)
  yield* duplicates("/signature/signers", "role", roles)
  for (const [index, role] of roles.entries()) {
    if (!customerRoles.includes(role)) {
      const pointer = `/signature/signers/${index}/role`
      yield { pointer, message: unknownName(role, customerRoles, "/customerRoles") }
    }
  }
}
