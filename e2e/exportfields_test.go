package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// The help of export names every field that there is, in order.
func TestExport_help(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	var all struct{ Fields []string }
	if err := json.Unmarshal([]byte(p.chant("export", "--fields", "all", "--json")), &all); err != nil {
		t.Fatal(err)
	}
	_, told, _ := strings.Cut(p.chant("export", "--help"), "all, or some of ")
	told, _, _ = strings.Cut(told, " and the keys")
	if got := strings.Fields(strings.ReplaceAll(told, ",", "")); !slices.Equal(got, all.Fields) {
		t.Errorf("the help has %q, want %q", got, all.Fields)
	}
}
