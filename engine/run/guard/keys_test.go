package guard_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/attest"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/spec"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

// TestSideEffects_keys finds keys that an agent has made, replaced or trusted outside its branch.
func TestSideEffects_keys(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		key   bool // this machine has one before
		agent func(t *testing.T, p *engine.Project)
		words string
	}{
		"nothing":   {true, func(*testing.T, *engine.Project) {}, ""},
		"makes one": {false, func(t *testing.T, p *engine.Project) { create(t, p) }, "this machine's key was added"},
		"replaces it": {true, func(t *testing.T, p *engine.Project) {
			assert.NoError(t, os.RemoveAll(keyfile.Folder(p.Environ)))
			create(t, p)
		}, "this machine's key was changed"},
		"removes it": {true, func(t *testing.T, p *engine.Project) {
			assert.NoError(t, os.RemoveAll(keyfile.Folder(p.Environ)))
		}, "this machine's key was removed"},
		"trusts one in the checkout": {true, func(t *testing.T, p *engine.Project) {
			own, err := engine.OwnKey(p)
			assert.NoError(t, err)
			enginetest.Write(t, engine.Home(p), store.KeysDir+"/eve.pub", string(own.Public.PEM()))
		}, ".chant/keys/eve.pub was changed in home"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			if tc.key {
				create(t, p)
			}
			r := runtest.Of(t, p, dir, runtest.Plain)
			before, err := r.Guard.RecordAround(t.Context(), nil)
			assert.NoError(t, err)
			tc.agent(t, p)
			found, err := r.Guard.SideEffects(t.Context(), before)
			assert.NoError(t, err)
			got := strings.Join(found.Behind, "\n")
			assert.Contains(t, got, tc.words)
			assert.False(t, tc.words == "" && got != "", "found %q, want %q", got, tc.words)
		})
	}
}

// TestCollect_keyText stops a branch of which a commit has the text of this machine's private key.
func TestCollect_keyText(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	create(t, p)
	text, err := os.ReadFile(filepath.Join(keyfile.Folder(p.Environ), "key.pem"))
	assert.NoError(t, err)
	r := runtest.Of(t, p, dir, runtest.Plain)
	r.Agent(done("k.txt", "x\n"+string(text)))
	r.Fails(r.To(journal.Clean), spec.ReasonTampered, "k.txt:3 has the value of this machine's evidence key")
}

func create(t *testing.T, p *engine.Project) attest.Key {
	t.Helper()
	own, err := keyfile.Create(p.Environ, rand.Reader)
	assert.NoError(t, err)
	return own.Public
}

// TestMayLand_signed: with evidence.signed, work lands only from a machine whose key the target trusts, now and where the
// branch began.
func TestMayLand_signed(t *testing.T) {
	t.Parallel()
	trust := func(t *testing.T, r *runtest.Run, key attest.Key) {
		enginetest.Commit(t, r.Dir, map[string]string{store.KeysDir + "/ada.pub": string(key.PEM())})
	}
	for name, tc := range map[string]struct {
		before func(t *testing.T, p *engine.Project, dir string)
		after  func(t *testing.T, r *runtest.Run)
		words  string // "" lands
	}{
		"trusted": {func(t *testing.T, p *engine.Project, dir string) {
			enginetest.Commit(t, dir, map[string]string{store.KeysDir + "/ada.pub": string(create(t, p).PEM())})
		}, nil, ""},
		"no key":      {nil, nil, "this machine has no key"},
		"not trusted": {func(t *testing.T, p *engine.Project, _ string) { create(t, p) }, nil, "does not trust this machine's key"},
		"trusted since": {func(t *testing.T, p *engine.Project, _ string) { create(t, p) }, func(t *testing.T, r *runtest.Run) {
			own, err := engine.OwnKey(r.P)
			assert.NoError(t, err)
			trust(t, r, own.Public)
		}, "does not trust this machine's key"},
		"no longer trusted": {func(t *testing.T, p *engine.Project, dir string) {
			enginetest.Commit(t, dir, map[string]string{store.KeysDir + "/ada.pub": string(create(t, p).PEM())})
		}, func(t *testing.T, r *runtest.Run) {
			r.Git("rm", "-q", store.KeysDir+"/ada.pub")
			r.Git("commit", "-q", "-m", "no longer")
		}, "does not trust this machine's key"},
		"it cannot sign": {func(t *testing.T, p *engine.Project, dir string) {
			enginetest.Commit(t, dir, map[string]string{store.KeysDir + "/ada.pub": string(create(t, p).PEM())})
			assert.NoError(t, os.Remove(filepath.Join(keyfile.Folder(p.Environ), "key.pem")))
		}, nil, "cannot sign"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			if tc.before != nil {
				tc.before(t, p, dir)
			}
			r := runtest.Of(t, p, dir, runtest.Plain, func(s *attempt.Settings) { s.Signed = true })
			r.Agent(map[string]string{"done.txt": "yes\n"})
			r.Completed()
			if tc.after != nil {
				tc.after(t, r)
			}
			err := r.Lands()
			if tc.words == "" {
				assert.NoError(t, err)
				return
			}
			r.Fails(err, spec.ReasonUnapproved, tc.words)
		})
	}
}
