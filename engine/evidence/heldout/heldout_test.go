package heldout_test

import (
	"crypto/rand"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/evidence/heldout"
	"chant/engine/evidence/keyfile"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

// TestSeal: with a key a file says nothing, and only that key opens it; without one it is plain.
func TestSeal(t *testing.T) {
	t.Parallel()
	none := []string{"HOME=" + t.TempDir()}
	plain, err := heldout.Seal(none, nil, []byte("- [ ] x `$ true`\n"))
	assert.NoError(t, err)
	assert.Equal(t, "- [ ] x `$ true`\n", string(plain))

	own, other := keyed(t), keyed(t)
	sealed, err := heldout.Seal(own, plain, []byte("- [ ] y `$ false`\n"))
	assert.NoError(t, err)
	assert.True(t, store.IsSealed(sealed) && !strings.Contains(string(sealed), "false"), "%s", sealed)
	again, err := heldout.Seal(own, sealed, []byte("- [ ] y `$ false`\n"))
	assert.NoError(t, err)
	key, err := keyfile.Load(own)
	assert.NoError(t, err)
	text, err := key.Decrypt(again)
	assert.NoError(t, err)
	assert.Equal(t, "- [ ] x `$ true`\n\n- [ ] y `$ false`\n", string(text))

	for _, environ := range [][]string{other, none} {
		_, err = heldout.Seal(environ, sealed, []byte("z"))
		assert.True(t, errors.Is(err, keyfile.ErrOtherKey), "%v", err)
	}
}

func keyed(t *testing.T) []string {
	t.Helper()
	environ := []string{"HOME=" + filepath.Join(t.TempDir(), "home")}
	_, err := keyfile.Create(environ, rand.Reader)
	assert.NoError(t, err)
	return environ
}
