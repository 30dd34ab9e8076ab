/** Sessions of visitors without an account. */
import { customerIn, type DataMap } from "../values/PersonalData.ts"

export const sessionData = {
  anonymous_session: {
    class: "TECHNICAL",
    subject: customerIn("customer_id"),
    marks: { revoked_at: "NOW" },
    none: "tenant_id id product_id created_at expires_at revoked_at customer_id"
  }
} satisfies DataMap
