/** How people check a file of evidence by tools of their own: a script for the shell, and what it does in words. */
import type { Instant } from "../values/Instant.ts"
import { evidenceNames as names } from "./EvidenceFile.ts"

export interface ScriptFacts {
  readonly madeAt: Instant
  readonly stamped: boolean
  /** How many steps there are. */
  readonly steps: number
  /** The sealed files, and of how many bytes each was shown. */
  readonly sealed: ReadonlyArray<{ readonly name: string; readonly shown: number }>
}

/** `verify.sh`: it trusts nothing that it says itself, but what the sealed `evidence.json` has. */
export const scriptOf = ({ madeAt, sealed, stamped, steps }: ScriptFacts): string => {
  const trusted = `-CAfile ${names.certificates} -partial_chain -attime ${Math.floor(Date.parse(madeAt) / 1000)}`
  const stamp = `openssl ts -verify -token_in -in ${names.stamp} -data ${names.seal} ${trusted} \\
  >/dev/null 2>&1 || fail "${names.stamp}: the time stamp is no good"
echo "time stamp: good"
`
  return `#!/bin/sh
# Checks this evidence without the service that made it. It needs sha256sum, openssl and head, and asks pdfsig
# where that is installed. It ends with 0 where all is as it was sealed, else with 1. See ${names.explanation}.
set -u
export LC_ALL=C
case $0 in */*) cd "\${0%/*}" || exit 1 ;; esac
fail() {
  echo "NOT intact: $1"
  exit 1
}

sha256sum -c --quiet ${names.sums} || fail "a file is not as ${names.sums} has it"
openssl cms -verify -cades -binary -inform DER -in ${names.seal} -content ${names.evidence} \\
  ${trusted} -purpose any -out /dev/null 2>/dev/null ||
  fail "${names.evidence}: the seal is not of this"
echo "seal: good"
${stamped ? stamp : ""}
IFS= read -r evidence <${names.evidence} || :
# Whether the sealed evidence says this.
said() {
  case $evidence in *"$1"*) ;; *) return 1 ;; esac
}

previous=${"0".repeat(64)}
count=0
for step in steps/*.json; do
  count=$((count + 1))
  IFS= read -r content <"$step" || :
  case $content in
  *"\\"prev\\":\\"$previous\\""*) ;;
  *) fail "$step: it does not follow the step before" ;;
  esac
  sum=$(sha256sum <"$step")
  previous=\${sum%% *}
  said "\\"hash\\":\\"$previous\\"" || fail "$step: it is no step of ${names.evidence}"
done
[ "$count" -eq ${steps} ] || fail "steps: there are $count, not ${steps}"
said "\\"head\\":\\"$previous\\"" || fail "steps: the last one is another"
echo "steps: $count, each follows the one before"

# A sealed file, and of how many bytes the document was that was shown: the file begins with it.
document() {
  sum=$(sha256sum <"$1")
  said "\\"sha256\\":\\"\${sum%% *}\\"" || fail "$1: it is not the file that was sealed"
  sum=$(head -c "$2" "$1" | sha256sum)
  said "\\"sha256\\":\\"\${sum%% *}\\",\\"size\\":$2}" ||
    fail "$1: it does not begin with the document that was shown"
  command -v pdfsig >/dev/null || return 0
  found=$(pdfsig -nocert "$1")
  case $found in *"Signature is Valid"*) ;; *) fail "$1: its seal is no good" ;; esac
  case $found in *"Total document signed"*) ;; *) fail "$1: bytes follow the seal" ;; esac
}
${sealed.map(({ name, shown }) => `document ${name} ${shown}\n`).join("")}echo "documents: ${sealed.length}, each begins with what was shown"
echo "intact"
`
}

/** `VERIFY.md`: the same in words. */
export const explanation = `# How to check this evidence

It proves who has signed what, when, at which price. What you have to trust are the certificates alone:
compare the last one in \`certificates.pem\` with that which the sealing company publishes.

Run \`sh verify.sh\` in this folder. It needs \`sha256sum\`, \`openssl\` and \`head\`; \`pdfsig\` (poppler-utils) is asked
where it is installed. It does this:

1. \`sha256sum -c SHA256SUMS\`: each file is as it was.
2. \`openssl cms -verify -cades\`: \`evidence.json\` was sealed by the certificate in \`evidence.json.p7s\`.
3. \`openssl ts -verify\`: the time stamp in \`evidence.json.tst\` proves when that seal was there at the latest.
4. Each file in \`steps\` names the SHA-256 of the one before. The SHA-256 of the last is \`head\` in \`evidence.json\`.
5. Each PDF file in \`documents\` has a seal of its own. Its first bytes, as many as \`evidence.json\` says, are the
   document that the signers were shown: \`head -c SIZE FILE | sha256sum\`.

| File | What it is |
| --- | --- |
| \`evidence.json\` | the signature, its signers, the texts, the steps, the hashes of all documents (canonical JSON, RFC 8785) |
| \`evidence.json.p7s\` | its seal (CMS, detached) |
| \`evidence.json.tst\` | the time stamp of the seal (RFC 3161); absent where the seal was made without one |
| \`certificates.pem\` | the certificates of the seals and of the time stamps, with their issuers |
| \`steps\` | each step as it was hashed |
| \`documents\` | what was signed, as it was sealed |

\`quittance evidence verify FILE.zip\` checks the same in one go, and every byte of the archive.
`
