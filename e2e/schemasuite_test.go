package e2e

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/spec/schema"

	"github.com/alecthomas/assert/v2"
)

// suiteGroup is one schema of the official JSON-Schema-Test-Suite with values that it accepts and refuses.
type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// TestSchema_officialSuite compares package schema with the official test suite, two drafts of which are in the
// module of google/jsonschema-go. Schemas that refer to other documents are refused.
func TestSchema_officialSuite(t *testing.T) {
	t.Parallel()
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		t.Skip("go cannot find the module with the test suite: ", err)
	}
	for draft, address := range map[string]string{
		"draft7": "http://json-schema.org/draft-07/schema#", "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
	} {
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(module)), "jsonschema", "testdata", draft, "*.json"))
		assert.NoError(t, err, "%s", draft)
		assert.True(t, len(files) >= 30, "%s: %d files, %v", draft, len(files), err)
		compared := 0
		for _, file := range files {
			text, err := os.ReadFile(file)
			assert.NoError(t, err)
			var groups []suiteGroup
			assert.NoError(t, json.Unmarshal(text, &groups))
			for _, g := range groups {
				compared += checkGroup(t, filepath.Base(file), address, g)
			}
		}
		assert.True(t, compared >= 600, "%s: only %d values were compared", draft, compared)
	}
}

// checkGroup returns how many values were compared.
func checkGroup(t *testing.T, file, draft string, g suiteGroup) int {
	t.Helper()
	src := g.Schema
	var keys map[string]json.RawMessage
	if json.Unmarshal(src, &keys) == nil && keys["$schema"] == nil { // the suite of a draft leaves it out
		keys["$schema"] = json.RawMessage(`"` + draft + `"`)
		var err error
		src, err = json.Marshal(keys)
		assert.NoError(t, err)
	}
	compiled, err := schema.Compile(file, src)
	if _, refers := errors.AsType[*schema.RefersError](err); refers {
		return 0
	}
	if err != nil {
		t.Errorf("%s, %s: %v", file, g.Description, err)
		return 0
	}
	for _, test := range g.Tests {
		found := compiled.Check(test.Data)
		assert.Equal(t, test.Valid, len(found) == 0, "%s, %s, %s: valid is %v", file, g.Description, test.Description, found)
	}
	return len(g.Tests)
}
