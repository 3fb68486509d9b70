package linter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// Lint refuses the same output schemas as a run does.
func TestLint_schema(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, "ok.json", `{"type": "object"}`)
	enginetest.Write(t, dir, "list.json", `[1]`)
	enginetest.Write(t, dir, "words.json", `type: object`)
	enginetest.Write(t, dir, "type.json", `{"type": "nope"}`)
	enginetest.Write(t, dir, "net.json", `{"$ref": "https://example.com/s.json"}`)
	enginetest.Write(t, dir, "file.json", `{"$ref": "ok.json"}`)
	assert.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	for path, want := range map[string]string{
		"ok.json": "", "list.json": "must be an object", "type.json": "is not a schema", "net.json": "refers to the network", "file.json": "refers to", "words.json": "not valid JSON", "none.json": "does not exist", "../x.json": "outside", "folder": "regular file",
	} {
		err := schemaError(p, path)
		assert.Equal(t, want == "", err == nil, "%s", path)
		assert.False(t, err != nil && !strings.Contains(err.Error(), want), "%s: %v, want %q", path, err, want)
	}
}
