package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestAttestation_sigstore: what `chant verify --attestation` writes is verified by the libraries of Sigstore, with the
// public key that the project trusts, and read as an in-toto test-result. With a changed byte or another key it is not.
func TestAttestation_sigstore(t *testing.T) {
	t.Parallel()
	node, modules := npmPackage(t, "@sigstore/verify")
	p := newProject(t)
	p.chant("key", "init")
	p.chant("key", "trust", "ada")
	p.addFile(crashID, crashSpec)
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
	at := strings.Index(string(text), `"sig":"`) + 20
	bad := []byte(string(text))
	bad[at] ^= 1
	// The public key of RFC 8032, section 7.1, test 1.
	const another = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n"
	for name, content := range map[string][]byte{"sigstore.cjs": script, "changed.json": bad, "other.pub": []byte(another)} {
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
	for name, r := range map[string]ran{"a changed byte": verify(changed, key), "another key": verify(file, other)} {
		assert.NotEqual(t, 0, r.code, "%s: exit %s", name, r.out)
		assert.Contains(t, r.stderr, "signature verification failed", "%s: exit %s", name, r.out)
	}
}
