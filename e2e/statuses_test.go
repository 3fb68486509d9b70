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
)

// TestStatuses_engineTable compares the table in the package comment of engine with the machine.
func TestStatuses_engineTable(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile(filepath.Join(root, "engine", "doc.go"))
	if err != nil {
		t.Fatal(err)
	}
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
	if !slices.Equal(got, want) {
		t.Errorf("engine/doc.go has\n%q\nwant\n%q", got, want)
	}
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
		if err := json.Unmarshal([]byte(p.chant("list", "--json", "--status", word)), &list); err != nil {
			t.Fatal(err)
		}
		if len(list.Specs) != 1 || list.Specs[0].ID != ids[word] {
			t.Errorf("list --status %s: %+v", word, list.Specs)
		}
		if out := p.chant("export", "--fields", "id", "--format", "csv", "--status", word); !strings.Contains(out, ids[word]) {
			t.Errorf("export --status %s: %s", word, out)
		}
		for what, text := range map[string]string{"the refusal of a status": refusal, "the schema of ListInput": field.Tag.Get("jsonschema")} {
			if !slices.Contains(words(text), word) {
				t.Errorf("%s lacks %q: %s", what, word, text)
			}
		}
	}
	var counts map[string]any
	if err := json.Unmarshal([]byte(p.chant("status", "--json")), &counts); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for key, value := range counts {
		if n, ok := value.(float64); ok && !slices.Contains([]string{"total", "ready", "open_more"}, key) {
			sum += int(n)
		}
	}
	if sum != len(all) || counts["total"] != float64(len(all)) {
		t.Errorf("status counts %d of %d specs: %v", sum, len(all), counts)
	}
	brief := 0
	for _, number := range regexp.MustCompile(`\d+`).FindAllString(p.chant("status", "--brief"), -1) {
		n := 0
		if _, err := fmt.Sscan(number, &n); err != nil {
			t.Fatal(err)
		}
		brief += n
	}
	if brief != len(all) {
		t.Errorf("status --brief counts %d of %d specs", brief, len(all))
	}
}
