/** What the members of certificates mean. */
export const certificateTerms = {
  "SealCertificates.certificates":
    "All that the tenant seals by or has sealed by, the oldest first.",
  "SealCertificate.sha256": "SHA-256 of the certificate in DER, in lower-case hexadecimal.",
  "SealCertificate.use":
    "`SEAL` it seals files. `TIMESTAMP` it proves times; in sandboxes alone. `AUTHORITY` it has issued the others; in sandboxes alone.",
  "SealCertificate.status":
    "`ACTIVE` it is used. `RETIRED` its private key is destroyed; what it has sealed stays valid.",
  "SealCertificate.subject": "Whose it is: the parts of the name in one line.",
  "SealCertificate.issuer": "Who has issued it.",
  "SealCertificate.validFrom": "From when on it is valid, in UTC.",
  "SealCertificate.validUntil": "Until when it is valid, in UTC.",
  "SealCertificate.pem": "The certificate in PEM, then those of its issuers."
}
