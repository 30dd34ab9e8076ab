/** How people check a file of evidence by tools of their own: a script for the shell, and what it does in words. */
import { evidenceNames as names } from "./EvidenceFile.ts"

export interface ScriptFacts {
  readonly stamped: boolean
  /** How many steps there are. */
  readonly steps: number
  /** The sealed files, and of how many bytes each was shown. */
  readonly sealed: ReadonlyArray<{ readonly name: string; readonly shown: number }>
}

const own = (stamped: boolean) =>
  [names.evidence, names.seal, ...(stamped ? [names.stamp] : [])].join(" ")

const stamp = `at=$(openssl ts -reply -token_in -in ${names.stamp} -text 2>/dev/null | sed -n 's/^Time stamp: //p')
at=$(date -u -d "\${at:-never}" +%s 2>/dev/null) || fail "${names.stamp}: it is no time stamp"
# Whether the time stamp is good by these certificates alone.
stamped_by() {
  openssl ts -verify -token_in -in ${names.stamp} -data ${names.seal} -CAfile "$1" -partial_chain \\
    -attime "$at" >/dev/null 2>&1
}
if [ -n "$trusted" ]; then
  stamped_by "$trusted" || fail "${names.stamp}: the time stamp is no good, or by others than $given trusts"
else
  openssl pkcs7 -inform DER -in ${names.stamp} -print_certs 2>/dev/null | stamped_by /dev/stdin ||
    fail "${names.stamp}: the time stamp is no good"
fi
echo "time stamp: good, $(date -u -d "@$at" +%Y-%m-%dT%H:%M:%SZ)"
`

/** What is needed, and whom the caller trusts. */
const opening = `#!/bin/sh
# sh verify.sh TRUSTED.pem checks this evidence without the service that made it, by certificates that you trust.
# It needs openssl (3.0 or later) and GNU coreutils, grep, find and sed, and asks pdfsig where that is installed.
# It ends with 0 where all is as it was sealed by whom you trust, with 1 where it isn't, and with 2 where it can't
# say, as without TRUSTED.pem. See ${names.explanation}.
set -u
export LC_ALL=C
given=\${1-}
trusted=$given
case $trusted in '' | /*) ;; *) trusted=$PWD/$trusted ;; esac
case $0 in */*) cd "\${0%/*}" || exit 2 ;; esac
fail() {
  echo "NOT intact: $1"
  exit 1
}
if [ -n "$trusted" ]; then
  openssl x509 -in "$trusted" -noout 2>/dev/null || {
    echo "$given: it has no certificate in PEM; give a file that has those that you trust"
    exit 2
  }
  [ ! "$trusted" -ef ${names.certificates} ] || {
    echo "$given: it is of this evidence; give certificates that you have from elsewhere"
    exit 2
  }
fi

openssl cms -verify -noverify -binary -inform DER -in ${names.seal} -content ${names.evidence} \\
  -out /dev/null 2>/dev/null || fail "${names.evidence}: the seal is not of this"
`

/** By whom it is sealed. */
const seal = `# Whether the seal is good by these certificates alone: none of this computer is asked.
sealed_by() {
  openssl cms -verify -cades -binary -inform DER -in ${names.seal} -content ${names.evidence} -CAfile "$1" \\
    -no-CApath -no-CAstore -partial_chain -attime "$at" -purpose any -out /dev/null 2>/dev/null
}
if [ -n "$trusted" ]; then
  sealed_by "$trusted" || fail "${names.seal}: the seal is no good, or by others than $given trusts"
  echo "seal: good"
else
  # The certificate of the seal and its issuers are those by which it is good, each alone.
  issuers=
  rest=$(cat ${names.certificates})
  while [ "$rest" != "\${rest#*-----END CERTIFICATE-----}" ]; do
    one="\${rest%%-----END CERTIFICATE-----*}-----END CERTIFICATE-----"
    rest=\${rest#*-----END CERTIFICATE-----}
    printf '%s\\n' "$one" | sealed_by /dev/stdin || continue
    issuers="$issuers
$(printf '%s\\n' "$one" | openssl x509 -noout -subject -fingerprint -sha256)"
  done
  [ -n "$issuers" ] || fail "${names.seal}: the seal is no good"
  echo "seal: by these, its own certificate first and the top of its chain last:$issuers"
fi

`

/** That no part was changed, and none is one too many. */
const partsOf = (stamped: boolean) => `IFS= read -r evidence <${names.evidence} || :
# Whether the sealed evidence says this.
said() {
  case $evidence in *"$1"*) ;; *) return 1 ;; esac
}

# All parts by their names and hashes, as the sealed evidence says them, and no others.
sums=$(sha256sum ${own(stamped)}) || exit 1
known="./${names.sums}
${own(stamped)
  .split(" ")
  .map((name) => `./${name}`)
  .join("\n")}"
parts=\${evidence#*'"parts":['}
parts=\${parts%%]*}
while [ -n "$parts" ]; do
  part=\${parts%%\\}*}
  parts=\${parts#*\\}}
  parts=\${parts#,}
  name=\${part#*'"name":"'}
  name=\${name%%'"'*}
  sum=\${part#*'"sha256":"'}
  sums="$sums
\${sum%%'"'*}  $name"
  known="$known
./$name"
done
printf '%s\\n' "$sums" | sha256sum -c --quiet || fail "a part is not as the sealed ${names.evidence} says"
[ "$sums" = "$(cat ${names.sums})" ] || fail "${names.sums}: it is not as the sealed ${names.evidence} says"
other=$(find . ! -type d ! -samefile "\${trusted:-${names.script}}" | grep -vxF "$known" | head -n 1)
[ -z "$other" ] || fail "\${other#./}: it does not belong here; unpack the archive into an empty folder"
echo "parts: each as it was sealed"

`

const stepsOf = (steps: number) => `previous=${"0".repeat(64)}
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

`

const documents = `# A sealed file, and of how many bytes the document was that was shown: the file begins with it.
document() {
  sum=$(head -c "$2" "$1" | sha256sum)
  said "\\"sha256\\":\\"\${sum%% *}\\",\\"size\\":$2}" ||
    fail "$1: it does not begin with the document that was shown"
  command -v pdfsig >/dev/null || return 0
  found=$(pdfsig -nocert "$1")
  case $found in *"Signature is Valid"*) ;; *) fail "$1: its seal is no good" ;; esac
  case $found in *"Total document signed"*) ;; *) fail "$1: bytes follow the seal" ;; esac
}
`

const ending = `if [ -n "$trusted" ]; then
  echo "intact, sealed by whom $given trusts"
  exit 0
fi
echo "The parts fit together. WHO SEALED THEM WAS NOT CHECKED: anyone can make an archive that comes as far as this."
echo "Get the certificates of the sealing company from itself, not from this archive: sh verify.sh TRUSTED.pem"
exit 2
`

/** `verify.sh`: it trusts the certificates that it is given, and then what the sealed `evidence.json` says. */
export const scriptOf = ({ sealed, stamped, steps }: ScriptFacts): string =>
  [
    opening,
    stamped ? stamp : "at=$(date +%s)\n",
    "\n",
    seal,
    partsOf(stamped),
    stepsOf(steps),
    documents,
    ...sealed.map(({ name, shown }) => `document ${name} ${shown}\n`),
    `echo "documents: ${sealed.length}, each begins with what was shown"\n`,
    ending
  ].join("")

/** `VERIFY.md`: the same in words. */
export const explanation = `# How to check this evidence

It proves who has signed what, when, at which price. What you have to trust are the certificates of who seals, and of
who stamps the time. Get them from these companies, not from this archive: who forges an archive puts their own into
it. Write them into one file, \`TRUSTED.pem\`: all in it are trusted, and no others.

Run the archive's own script only where you trust who sent it to you, since a script can do anything and a forged one
can say anything. Else run \`quittance evidence verify FILE.zip --certificates TRUSTED.pem\`, which checks the same and
every byte of the archive, or the lines below by hand.

\`sh verify.sh TRUSTED.pem\` needs \`openssl\` (3.0 or later) and GNU coreutils, \`grep\`, \`find\` and \`sed\`; \`pdfsig\`
(poppler-utils) is asked where it is installed. It ends with 0 where all is as it was sealed by whom you trust, and with
1 where it isn't. Without \`TRUSTED.pem\` it says whether all fits together, shows the certificates of the seal, and ends
with 2: who sealed it is not checked. It does this:

1. The time stamp proves when the seal was there at the latest.
2. \`evidence.json\` was sealed by whom you trust.
3. \`SHA256SUMS\` has the names and hashes that \`evidence.json\` says, each part is as it was, and no other file is there.
4. Each file in \`steps\` names the SHA-256 of the one before. The SHA-256 of the last is \`head\` in \`evidence.json\`.
5. Each PDF file in \`documents\` has a seal of its own. Its first bytes, as many as \`evidence.json\` says, are the
   document that the signers were shown. Who sealed the PDF file is not asked: the seal of \`evidence.json\` vouches for
   each of its bytes.

By hand, with \`-attime SECONDS\` for the time of the stamp where a certificate has expired since:

\`\`\`sh
openssl ts -verify -token_in -in evidence.json.tst -data evidence.json.p7s -CAfile TRUSTED.pem -partial_chain
openssl cms -verify -cades -binary -inform DER -in evidence.json.p7s -content evidence.json -out /dev/null \\
  -CAfile TRUSTED.pem -no-CApath -no-CAstore -partial_chain -purpose any
sha256sum -c SHA256SUMS       # and compare SHA256SUMS with "parts" of evidence.json
head -c SIZE documents/NAME.pdf | sha256sum
\`\`\`

| File | What it is |
| --- | --- |
| \`evidence.json\` | the signature, its signers, the texts, the steps, the hashes of all documents (canonical JSON, RFC 8785) |
| \`evidence.json.p7s\` | its seal (CMS, detached) |
| \`evidence.json.tst\` | the time stamp of the seal (RFC 3161); absent where the seal was made without one |
| \`certificates.pem\` | the certificates of the seals with their issuers, to compare; they are no reason to trust |
| \`steps\` | each step as it was hashed |
| \`documents\` | what was signed, as it was sealed |
`
