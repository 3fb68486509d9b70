package agentfile

import (
	"errors"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// ours returns a file that init writes if there is none.
func ours(t *testing.T, name string) string {
	t.Helper()
	text, err := Template(name)
	assert.NoError(t, err)
	return string(text)
}

// isFileError reports whether an error names a file and a line.
func isFileError(err error) bool {
	_, ok := errors.AsType[*FileError](err)
	return ok
}

// claudeFresh is the config that init writes if there is none.
const claudeFresh = `{
  "mcpServers": {
    "chant": {
      "type": "stdio",
      "command": "chant",
      "args": ["mcp"]
    }
  }
}
`
