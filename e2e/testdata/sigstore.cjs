// Verifies a DSSE envelope with the libraries of Sigstore and a public key, and prints its payload.
// Usage: node sigstore.cjs ENVELOPE PUBLIC_KEY
const fs = require("node:fs");
const { bundleFromJSON } = require("@sigstore/bundle");
const { crypto } = require("@sigstore/core");
const { Verifier, toSignedEntity } = require("@sigstore/verify");

const [file, keyFile] = process.argv.slice(2);
const envelope = JSON.parse(fs.readFileSync(file, "utf8"));
const publicKey = crypto.createPublicKey(fs.readFileSync(keyFile, "utf8"));
const bundle = bundleFromJSON({
  mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
  verificationMaterial: { publicKey: { hint: envelope.signatures[0].keyid }, tlogEntries: [] },
  dsseEnvelope: envelope,
});
const trust = {
  certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [],
  publicKey: () => ({ publicKey, validFor: () => true }),
};
new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 }).verify(toSignedEntity(bundle));
process.stdout.write(Buffer.from(envelope.payload, "base64"));
