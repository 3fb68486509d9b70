package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"
	"chant/engine/view"

	"github.com/alecthomas/assert/v2"
)

// TestStatuses_engineTable compares the table in the package comment of engine with the machine.
func TestStatuses_engineTable(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile(filepath.Join(root, "engine", "doc.go"))
	assert.NoError(t, err)
	_, table, _ := strings.Cut(string(src), "# The life of a spec\n//\n")
	table, _, _ = strings.Cut(table, "\n//\n")
	type row struct{ event, from, to string }
	var got []row
	for line := range strings.Lines(table) {
		cells := regexp.MustCompile(`\s{2,}`).Split(strings.TrimSpace(strings.TrimPrefix(line, "//\t")), -1)
		continued := strings.HasPrefix(line, "//\t ")
		switch {
		case continued && len(got) > 0:
			got[len(got)-1].from += " " + cells[0]
		case len(cells) == 3 && cells[0] != "event":
			got = append(got, row{cells[0], cells[1], cells[2]})
		}
	}
	var want []row
	for _, tr := range spec.Transitions() {
		from := make([]string, len(tr.From))
		for i, s := range tr.From {
			from[i] = string(s)
		}
		want = append(want, row{string(tr.Event), strings.Join(from, ", "), string(tr.To)})
	}
	assert.Equal(t, want, got)
}

// TestStatuses_listedAndCounted checks that each status can be asked for and is counted.
func TestStatuses_listedAndCounted(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	all := spec.StatusWords()
	ids := map[string]string{}
	for i, word := range all {
		ids[word] = fmt.Sprintf("2026-01-02-%03d-abc", i)
		p.write(".chant/specs/"+ids[word]+".md", "---\nstatus: "+word+"\n---\n# A\n")
	}
	_, refusal, _ := p.try(nil, "list", "--status", "nonsense")
	field, _ := reflect.TypeFor[view.ListInput]().FieldByName("Status")
	for _, word := range all {
		var list view.ListResult
		assert.NoError(t, json.Unmarshal([]byte(p.chant("list", "--json", "--status", word)), &list))
		assert.Equal(t, 1, len(list.Specs), "list --status %s", word)
		assert.Equal(t, ids[word], list.Specs[0].ID, "list --status %s", word)
		assert.Contains(t, p.chant("export", "--fields", "id", "--format", "csv", "--status", word), ids[word], "export --status %s", word)
		for what, text := range map[string]string{"the refusal of a status": refusal, "the schema of ListInput": field.Tag.Get("jsonschema")} {
			assert.SliceContains(t, words(text), word, "%s lacks %s", what, text)
		}
	}
	var counts map[string]any
	assert.NoError(t, json.Unmarshal([]byte(p.chant("status", "--json")), &counts))
	sum := 0
	for key, value := range counts {
		if n, ok := value.(float64); ok && !slices.Contains([]string{"total", "ready", "open_more"}, key) {
			sum += int(n)
		}
	}
	assert.Equal(t, len(all), sum)
	assert.True(t, counts["total"] == float64(len(all)), "status counts %d of %d specs: %v", sum, len(all), counts)
	brief := 0
	for _, number := range regexp.MustCompile(`\d+`).FindAllString(p.chant("status", "--brief"), -1) {
		n := 0
		_, err := fmt.Sscan(number, &n)
		assert.NoError(t, err)
		brief += n
	}
	assert.Equal(t, len(all), brief, "status --brief counts")
}
