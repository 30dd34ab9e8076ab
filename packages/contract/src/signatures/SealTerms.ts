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

/** What the members of seals mean. */
export const sealTerms = {
  "SignatureSeal.signatureId": "The signature that was asked for.",
  "SignatureSeal.status":
    "`WAITING`: the documents are about to be sealed. `SEALED`. `NOT_SEALED`: it is not signed, or was signed before documents were sealed.",
  "SignatureSeal.seal": "The seal; absent until there is one.",
  "Seal.level":
    "The level of PAdES (ETSI EN 319 142-1): `B-T` with a time stamp that proves the time, `B-B` without.",
  "Seal.certificate": "SHA-256 of the certificate, which GET /signatures/certificates shows.",
  "Seal.sealedAt": "When it was sealed, in real time, in UTC.",
  "Seal.documents": "What was signed; empty where the product has nothing to sign but its texts.",
  "SealedDocument.documentId": "The document that was signed.",
  "SealedDocument.sha256": "SHA-256 of its bytes, in lower-case hexadecimal.",
  "SealedDocument.size": "Its bytes: so many of the sealed file's first are the same.",
  "SealedDocument.sealed": "The sealed file; absent where the document is no PDF.",
  "SealedDocument.sealed.documentId": "The document that the sealed file is.",
  "SealedDocument.sealed.sha256": "SHA-256 of the sealed file, in lower-case hexadecimal.",
  "SealedDocument.sealed.size": "The bytes of the sealed file."
}

/** What the members of verifications mean. */
export const verificationTerms = {
  "VerificationUpload.file": "The bytes of the file.",
  "Verification.kind": "`PDF` a sealed document. `EVIDENCE` an archive of evidence.",
  "Verification.status":
    "`INTACT` nothing was changed, and this tenant has sealed it. `CHANGED` something was changed after it was sealed. `UNKNOWN` this tenant has not sealed it, or not alone.",
  "Verification.known": "Whether this tenant has sealed it, and no other.",
  "Verification.changedAfterwards": "Whether something was changed after it was sealed.",
  "Verification.sealedAt":
    "By when it was sealed, in UTC; absent where no time stamp of the tenant's authority proves it.",
  "Verification.documents": "Of evidence whose content holds: the documents in it, in their order.",
  "Verification.checks": "What was checked, in its order.",
  "VerifiedDocument.part": "The name of the document in the archive.",
  "VerifiedDocument.sha256": "SHA-256 of the document as it is in the archive.",
  "VerifiedDocument.shownSha256": "SHA-256 of what the signers were shown.",
  "VerifiedDocument.shownSize":
    "What the signers were shown, in bytes: so many of the document's first are the same.",
  "VerificationCheck.name":
    "`CONTENT` every byte is as it was sealed. `ISSUER` each seal is one of this tenant. `TIME` a time stamp proves by when it was sealed.",
  "VerificationCheck.result":
    "`HOLDS`, `FAILS`, or `NOT_CHECKED` where a check before it leaves nothing to check.",
  "VerificationCheck.part": "The part of an archive that is wrong.",
  "VerificationCheck.message": "What was found, and what to do."
}
