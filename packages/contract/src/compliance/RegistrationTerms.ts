/** What the members of registrations mean. */
export const registrationTerms = {
  "FirmRegistration.brokerageFirmId": "The firm.",
  register: "The register, such as `ORIAS`.",
  "FirmRegistration.number": "The firm's number there.",
  "PutRegistration.number": "The firm's number there.",
  categories: "As what the firm is registered, in the words of the register.",
  validUntil: "The last day on which the registration holds.",
  checkedAt: "When it was looked up, in UTC; not in the future.",
  "FirmRegistration.evidence": "Where the answer of the register is kept.",
  "PutRegistration.evidence": "Where the answer of the register is kept.",
  "FirmRegistration.recordedAt": "When it was said here, in UTC.",
  "FirmRegistration.author": "The user or client that said it, by its identifier."
}
