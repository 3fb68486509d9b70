package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	if err != nil {
		t.Fatal(err)
	}
	file, changed, key, other := filepath.Join(dir, "evidence.json"), filepath.Join(dir, "changed.json"), filepath.Join(p.dir, ".chant", "keys", "ada.pub"), filepath.Join(dir, "other.pub")
	p.chant("verify", crashID, "--attestation", file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(text), `"sig":"`) + 20
	bad := []byte(string(text))
	bad[at] ^= 1
	// The public key of RFC 8032, section 7.1, test 1.
	const another = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n"
	for name, content := range map[string][]byte{"sigstore.cjs": script, "changed.json": bad, "other.pub": []byte(another)} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	verify := func(file, key string) ran {
		return execute(t, dir, os.Environ(), node, filepath.Join(dir, "sigstore.cjs"), file, key)
	}
	good := verify(file, key)
	if good.code != 0 {
		t.Fatalf("it is not verified: %s%s", good.out, good.stderr)
	}
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
	if err := json.Unmarshal([]byte(good.out), &s); err != nil {
		t.Fatal(err)
	}
	if s.Type != "https://in-toto.io/Statement/v1" || s.PredicateType != "https://in-toto.io/attestation/test-result/v0.1" || s.Predicate.Result != "PASSED" || len(s.Predicate.PassedTests) != 1 {
		t.Errorf("the statement is %s", good.out)
	}
	if len(s.Subject) < 2 || s.Subject[0].Digest["gitCommit"] != p.git("rev-parse", "main") || s.Subject[1].Digest["gitTree"] != p.git("rev-parse", "main^{tree}") {
		t.Errorf("the subjects are %+v", s.Subject)
	}
	for name, r := range map[string]ran{"a changed byte": verify(changed, key), "another key": verify(file, other)} {
		if r.code == 0 || !strings.Contains(r.stderr, "signature verification failed") {
			t.Errorf("%s: exit %d\n%s%s", name, r.code, r.out, r.stderr)
		}
	}
}
