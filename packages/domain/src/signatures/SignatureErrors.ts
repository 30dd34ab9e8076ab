/** The refusals of signatures that are requested. */
import { Schema } from "effect"
import { CustomerId, SignatureId, SignerId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"

export class SignatureClosed extends Schema.TaggedError<SignatureClosed>()("SignatureClosed", {
  status: Schema.String
}) {
  override get message() {
    return `The signature is ${this.status}: nothing can be done to it any more; request another one.`
  }
}

export class SignatureOpen extends Schema.TaggedError<SignatureOpen>()("SignatureOpen", {
  signatureId: SignatureId
}) {
  override get message() {
    return `Signature ${this.signatureId} of this branch is open; cancel it first, or let it be signed.`
  }
}

/** Documents that are to be signed are not made yet. */
export class SignedDocumentsPending extends Schema.TaggedError<SignedDocumentsPending>()(
  "SignedDocumentsPending",
  {
    /** The definitions of the product whose documents are missing or not made. */
    definitionIds: Schema.Array(Schema.String)
  }
) {
  override get message() {
    return "Read the documents in details once, which makes them, then request the signature again."
  }
}

/** Something that a signature needs is not known of who signs. */
export class SignerIncomplete extends Schema.TaggedError<SignerIncomplete>()("SignerIncomplete", {
  customerId: Schema.optionalKey(CustomerId),
  missing: Schema.Array(Schema.String)
}) {
  override get message() {
    return `Give the ${this.missing.join(", ")} of who signs, in \`signers\` of the request.`
  }
}

/** The product is signed by one call. */
export class SignatureNotRequested extends Schema.TaggedError<SignatureNotRequested>()(
  "SignatureNotRequested",
  {}
) {
  override get message() {
    return "The product is signed by one call: `POST /policies/{policyId}/sign`."
  }
}

export class SignerNotFound extends Schema.TaggedError<SignerNotFound>()("SignerNotFound", {
  signerId: SignerId
}) {
  override get message() {
    return `The signature has no signer ${this.signerId}; read it for those that it has.`
  }
}

export class NotYourTurn extends Schema.TaggedError<NotYourTurn>()("NotYourTurn", {}) {
  override get message() {
    return "Others sign before this signer; wait for the event `signature.signed` of the last of them."
  }
}

export class DocumentNotShown extends Schema.TaggedError<DocumentNotShown>()("DocumentNotShown", {
  documentIds: Schema.Array(Schema.String)
}) {
  override get message() {
    return "Show the signer the documents in details, from their first byte to the last, then sign."
  }
}

export class NameMismatch extends Schema.TaggedError<NameMismatch>()("NameMismatch", {}) {
  override get message() {
    return "Type the first name and the last name of the signer, as the signature has them."
  }
}

export class OtpInvalid extends Schema.TaggedError<OtpInvalid>()("OtpInvalid", {
  /** How many codes may still be tried before another one has to be sent. */
  triesLeft: Schema.Int
}) {
  override get message() {
    return "The code is another one; read the last letter again, and try at most as often as details say."
  }
}

export class OtpLocked extends Schema.TaggedError<OtpLocked>()("OtpLocked", {}) {
  override get message() {
    return "No code is valid any more: it was tried too often, or is too old; have another one sent."
  }
}

export class CorrectionRefused extends Schema.TaggedError<CorrectionRefused>()(
  "CorrectionRefused",
  {
    /** `UNCHANGED`: the signer has all that already. `TOO_OFTEN`: they were corrected as often as may be. */
    reason: Schema.Literals(["UNCHANGED", "TOO_OFTEN"])
  }
) {
  override get message() {
    return this.reason === "UNCHANGED"
      ? "The signer has that address and that telephone already; send another one."
      : "The signer was corrected as often as may be; cancel the signature, and request another one."
  }
}

export class RemindedLately extends Schema.TaggedError<RemindedLately>()("RemindedLately", {
  /** When the next letter may leave. */
  nextAt: Instant
}) {
  override get message() {
    return `They were sent a letter less than an hour ago; remind them after ${this.nextAt}.`
  }
}
