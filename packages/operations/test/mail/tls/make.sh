#!/bin/sh
# Makes an untrusted authority, and certificates for mail.test (and loopback) and other.test.
set -eu
cd "$(dirname "$0")"
days=36500
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days $days -subj "/CN=Authority of tests" \
  -keyout authority.key -out authority.pem 2>/dev/null
for name in mail other; do
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name.test" -keyout $name.key -out $name.csr 2>/dev/null
  names="DNS:$name.test"
  if [ $name = mail ]; then names="$names,DNS:localhost,IP:127.0.0.1"; fi
  printf 'subjectAltName=%s\n' "$names" >$name.ext
  openssl x509 -req -in $name.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days $days -extfile $name.ext -out $name.crt 2>/dev/null
  cat $name.crt $name.key >$name.pem
  rm $name.crt $name.key $name.csr $name.ext
done
rm authority.key authority.srl 2>/dev/null || true
