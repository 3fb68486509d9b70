package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/evidence/criteria"

	"github.com/alecthomas/assert/v2"
)

// attested is a spec whose work makes a test weaker, and whose criterion does not notice the other limit.
const attested = "---\nstatus: pending\n---\n# Raise the limit\n\n## Script\n\n```sh\nsed -i.old 's/-lt 3/-lt 5/' lib.sh\nsed -i.old 's/low 9/low 99/' test_lib.sh\n" +
	"rm *.old\necho it is 5 > limit.txt\n```\n\n## Acceptance Criteria\n\n- [ ] it is there `$ sh test_lib.sh && test -f limit.txt`\n"

// TestAttestation_sigstore: what `chant verify --attestation` writes is verified by the libraries of Sigstore, with the
// public key that the project trusts, and read as an in-toto test-result with the proof of each criterion, the checks that
// the work weakens, and the strength of the criteria. With a changed byte in any of these, or another key, it is not.
func TestAttestation_sigstore(t *testing.T) {
	t.Parallel()
	node, modules := npmPackage(t, "@sigstore/verify")
	p := newProject(t)
	p.chant("key", "init")
	p.chant("key", "trust", "ada")
	p.write("lib.sh", "low() {\n  [ \"$1\" -lt 3 ]\n}\n")
	p.write("test_lib.sh", ". ./lib.sh\nlow 2 || exit 1\nif low 9; then exit 1; fi\n")
	p.write(".chant/config.md", "---\ndefaults: {provider: shell}\nverify: {weakened: report, prove: all, prove_when: before}\n---\n")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "settle")
	p.addFile(crashID, attested)
	p.chant("work", crashID)
	dir := t.TempDir() // modules are found beside the script that loads them
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Skip(err)
	}
	script, err := os.ReadFile("testdata/sigstore.cjs")
	assert.NoError(t, err)
	file, changed, key, other := filepath.Join(dir, "evidence.json"), filepath.Join(dir, "changed.json"), filepath.Join(p.dir, ".chant", "keys", "ada.pub"), filepath.Join(dir, "other.pub")
	p.chant("verify", crashID, "--attestation", file)
	text, err := os.ReadFile(file)
	assert.NoError(t, err)
	var envelope map[string]any
	assert.NoError(t, json.Unmarshal(text, &envelope))
	payload, err := base64.StdEncoding.DecodeString(envelope["payload"].(string))
	assert.NoError(t, err)
	// The public key of RFC 8032, section 7.1, test 1.
	const another = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n"
	for name, content := range map[string][]byte{"sigstore.cjs": script, "other.pub": []byte(another)} {
		assert.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o644))
	}
	verify := func(file, key string) ran {
		return execute(t, dir, os.Environ(), node, filepath.Join(dir, "sigstore.cjs"), file, key)
	}
	good := verify(file, key)
	assert.Equal(t, 0, good.code, "it is not verified: %s%s", good.out, good.stderr)
	var s struct {
		Type    string `json:"_type"`
		Subject []struct {
			Name   string            `json:"name"`
			Digest map[string]string `json:"digest"`
		} `json:"subject"`
		PredicateType string `json:"predicateType"`
		Predicate     struct {
			Result      string   `json:"result"`
			PassedTests []string `json:"passedTests"`
			Chant       struct {
				Report criteria.Report `json:"report"`
			} `json:"chant"`
		} `json:"predicate"`
	}
	assert.NoError(t, json.Unmarshal([]byte(good.out), &s))
	assert.Equal(t, "https://in-toto.io/Statement/v1", s.Type, "the statement is %s", good.out)
	assert.Equal(t, "https://in-toto.io/attestation/test-result/v0.1", s.PredicateType, "the statement is %s", good.out)
	assert.Equal(t, "PASSED", s.Predicate.Result, "the statement is %s", good.out)
	assert.Equal(t, 1, len(s.Predicate.PassedTests), "the statement is %s", good.out)
	assert.True(t, len(s.Subject) >= 2, "the subjects are %+v", s.Subject)
	assert.Equal(t, p.git("rev-parse", "main"), s.Subject[0].Digest["gitCommit"])
	assert.Equal(t, p.git("rev-parse", "main^{tree}"), s.Subject[1].Digest["gitTree"])
	report := s.Predicate.Chant.Report
	assert.Equal(t, criteria.Verified, report.Verdict)
	assert.Equal(t, criteria.FailToPass, report.Criteria[0].Proof)
	assert.Equal(t, "[test_lib.sh:3 expectation_changed: if low 9; then exit 1; fi -> if low 99; then exit 1; fi]", fmt.Sprint(report.Weakened))
	assert.Equal(t, 0.0, *report.Strength.Score)
	assert.Equal(t, []criteria.Line{{File: "lib.sh", Line: 2}}, report.Strength.Unexecuted)

	sig := strings.Index(string(text), `"sig":"`) + 20
	refused := map[string]ran{"another key": verify(file, other)}
	text[sig] ^= 1
	assert.NoError(t, os.WriteFile(changed, text, 0o644))
	refused["signature"] = verify(changed, key)
	text[sig] ^= 1
	for name, what := range map[string]string{
		"verdict": `"verdict":"v`, "proof": `"proof":"f`, "finding": `"kind":"expectation_c`, "place of a finding": `"file":"t`,
		"score": `"score":0`, "survivor": `"kind":"revert_h`,
	} {
		at := bytes.Index(payload, []byte(what))
		assert.True(t, at >= 0, "no %s in %s", what, payload)
		at += len(what) - 1
		payload[at] ^= 1
		envelope["payload"] = base64.StdEncoding.EncodeToString(payload)
		payload[at] ^= 1
		bad, err := json.Marshal(envelope)
		assert.NoError(t, err)
		assert.NoError(t, os.WriteFile(changed, bad, 0o644))
		refused[name] = verify(changed, key)
	}
	for name, r := range refused {
		assert.NotEqual(t, 0, r.code, "%s: exit %s", name, r.out)
		assert.Contains(t, r.stderr, "signature verification failed", "%s: exit %s", name, r.out)
	}
}
