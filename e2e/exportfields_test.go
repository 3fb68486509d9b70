package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// The help of export names every field that there is, in order.
func TestExport_help(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	var all struct{ Fields []string }
	assert.NoError(t, json.Unmarshal([]byte(p.chant("export", "--fields", "all", "--json")), &all))
	_, listed, _ := strings.Cut(p.chant("export", "--help"), "all, or some of ")
	listed, _, _ = strings.Cut(listed, " and the keys")
	assert.Equal(t, all.Fields, strings.Fields(strings.ReplaceAll(listed, ",", "")))
}
