package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// specsOf builds a graph from lines "id: front matter; front matter | title".
func specsOf(t testing.TB, lines ...string) *spec.Graph {
	t.Helper()
	var all []*spec.File
	for _, line := range lines {
		line, title, _ := strings.Cut(line, "|")
		id, front, _ := strings.Cut(line, ":")
		front = strings.ReplaceAll(strings.TrimSpace(front), "; ", "\n")
		s, err := spec.Parse(id, id+".md", []byte("---\n"+front+"\n---\n# "+strings.TrimSpace(title)+"\n"))
		assert.NoError(t, err)
		all = append(all, s)
	}
	return spec.GraphOf(all, []string{"gone"})
}

// needsOf lists needs as "spec>needs kind", in order.
func needsOf(g Graph) string {
	var out []string
	for _, n := range g.Needs {
		text := n.Spec + ">" + n.Needs
		if n.Kind != DependsOn {
			text += " " + string(n.Kind)
		}
		if n.Cycle {
			text += " cycle"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"dependencies":                     {[]string{"a:", "b: depends_on: a", "c: depends_on: [a, b]"}, "b>a, c>a, c>b"},
		"archived and missing":             {[]string{"a: depends_on: [gone, none]"}, "a>gone, a>none"},
		"members in order":                 {[]string{"d: type: driver", "d.1:", "d.2:", "d.3:"}, "d>d.3 member, d.2>d.1 order, d.3>d.2 order"},
		"members in no order":              {[]string{"d:", "d.1: depends_on: []", "d.2: depends_on: []"}, "d>d.1 member, d>d.2 member"},
		"one without order among them":     {[]string{"d:", "d.1:", "d.2: depends_on: []", "d.3:"}, "d>d.3 member, d.3>d.1 order, d.3>d.2 order"},
		"a driver's dependencies":          {[]string{"a:", "d: depends_on: a", "d.1:", "d.2:"}, "d>a, d>d.2 member, d.1>a driver, d.2>d.1 order"},
		"a named member":                   {[]string{"a:", "d: type: group; members: [m]; depends_on: a", "m:"}, "d>a, d>m member, m>a driver"},
		"members of members":               {[]string{"d:", "d.1:", "d.1.1:", "d.2:"}, "d>d.2 member, d.1>d.1.1 member, d.2>d.1 order"},
		"own members are no dependencies":  {[]string{"d: depends_on: [d.1]", "d.1:"}, "d>d.1 member"},
		"a cycle":                          {[]string{"a: depends_on: b", "b: depends_on: a", "c: depends_on: a"}, "a>b cycle, b>a cycle, c>a"},
		"itself":                           {[]string{"a: depends_on: a"}, "a>a cycle"},
		"a cycle of members is left whole": {[]string{"d:", "d.1: depends_on: d.2", "d.2: depends_on: d.1"}, "d>d.1 member, d>d.2 member, d.1>d.2 cycle, d.2>d.1 cycle"},
	} {
		assert.Equal(t, c.want, needsOf(Of(specsOf(t, c.lines...), nil)), "%s", name)
	}
}

// closure returns what each id leads to, over any number of steps.
func closure(ids []string, direct func(string) []string) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, id := range ids {
		seen := map[string]bool{}
		list := slices.Clone(direct(id))
		for len(list) > 0 {
			next := list[len(list)-1]
			list = list[:len(list)-1]
			if !seen[next] {
				seen[next] = true
				list = append(list, direct(next)...)
			}
		}
		out[id] = seen
	}
	return out
}

// FuzzOf: for every graph, the needs lead to exactly what the specs wait for and to their members, and each is one of
// these.
func FuzzOf(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 1, 2, 3, 17, 33, 49, 65, 200, 201, 202, 90, 91})
	f.Add([]byte{9, 129, 7, 31, 200, 14, 3, 77, 130, 44, 8, 250, 61, 32, 128, 5})
	f.Fuzz(func(t *testing.T, data []byte) {
		names := []string{"a", "b", "d", "d.1", "d.2", "d.3", "d.2.1", "d.2.2", "e", "e.1", "e.2", "none"}
		var lines []string
		for i, name := range names[:len(names)-1] {
			front := "status: pending"
			if i < len(data) {
				switch b := data[i]; b % 4 {
				case 1:
					front += "; depends_on: []"
				case 2:
					front += "; depends_on: [" + names[int(b/4)%len(names)] + "]"
				case 3:
					front += fmt.Sprintf("; depends_on: [%s, %s]; members: [%s]", names[int(b/4)%len(names)], names[int(b/8)%len(names)], names[int(b/16)%len(names)])
				}
			}
			if i+20 < len(data) && data[i+20]%4 == 0 {
				continue // no such spec
			}
			lines = append(lines, name+": "+front)
		}
		s := specsOf(t, lines...)
		g := Of(s, nil)
		direct := map[string][]string{}
		for _, n := range g.Needs {
			direct[n.Spec] = append(direct[n.Spec], n.Needs)
		}
		whole := func(id string) []string {
			if s.Spec(id) == nil {
				return nil
			}
			return append(slices.Clone(s.WaitsFor(id)), s.Members(id)...)
		}
		got, want := closure(names, func(id string) []string { return direct[id] }), closure(names, whole)
		for _, id := range names {
			assert.Equal(t, fmt.Sprint(want[id]), fmt.Sprint(got[id]), "%q: %s leads", lines, id)
			for _, one := range direct[id] {
				assert.SliceContains(t, whole(id), one, "%q: %s does not wait for", lines, id)
			}
		}
		checkFormats(t, g)
	})
}

// sampleGraph is a graph with a spec of every kind.
func sampleGraph(t testing.TB) Graph {
	t.Helper()
	return Of(specsOf(t,
		"2026-11-26-001-abc: status: completed; labels: [api] | Parse dates",
		"2026-11-26-002-bcd: depends_on: [2026-11-26-001-abc]; labels: [api, ui] | Print \"dates\" <b> \\ & more; `x` #1",
		"2026-11-26-003-cde: depends_on: [2026-11-26-001-abc]; status: failed | Sort dates",
		"2026-11-26-004-def: depends_on: [2026-11-26-002-bcd, 2026-11-26-003-cde, none, gone]; labels: [ui] | Release with a title that is far too long for one box",
		"2026-11-26-005-efg: type: driver | A driver",
		"2026-11-26-005-efg.1: status: in_progress | First",
		"2026-11-26-005-efg.2: | Second",
		"2026-11-26-006-fgh: depends_on: [2026-11-26-007-ghi] | One way",
		"2026-11-26-007-ghi: depends_on: [2026-11-26-006-fgh] | and back",
		"2026-11-26-008-hij: status: needs_attention | Alone",
		"2026-11-26-009-ijk: | 日付を解析する、とても長い題名なので切らなければならない",
	), map[string]string{"2026-11-26-010-jkl": "2026-11-26-010-jkl.md:2: not YAML"})
}

// TestFormats compares every format of a graph with its file.
func TestFormats(t *testing.T) {
	t.Parallel()
	g := sampleGraph(t)
	for name, text := range map[string][]byte{
		"sample.mmd": g.Mermaid(), "sample.dot": g.DOT(), "sample.svg": g.SVG(nil),
		"sample.txt": drawn(g, Unicode()), "sample-ascii.txt": drawn(g, ASCII()),
		"links.svg": g.Select(Filter{Labels: []string{"api"}}).SVG(func(id string) string { return "specs/" + id + ".html" }),
		"empty.svg": Graph{}.SVG(nil),
	} {
		file := filepath.Join("testdata", name)
		if os.Getenv("UPDATE") == "1" {
			assert.NoError(t, os.WriteFile(file, text, 0o644))
		}
		want, err := os.ReadFile(file)
		assert.NoError(t, err, "%s is", name)
		assert.Equal(t, bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n")), text, "%s is", name)
	}
}

// TestSVG_manyLanes: needs without a lane have arrows beside the boxes.
func TestSVG_manyLanes(t *testing.T) {
	t.Parallel()
	g := Graph{Specs: []Spec{{ID: "last"}}}
	for i := range maxLanes + 2 {
		id := fmt.Sprint("s", i)
		g.Specs = append(g.Specs, Spec{ID: id})
		g.Needs = append(g.Needs, Need{Spec: "last", Needs: id, Kind: DependsOn})
	}
	svg := g.SVG(nil)
	arcs, all := bytes.Count(svg, []byte("C")), bytes.Count(svg, []byte(" marker-end="))
	assert.Equal(t, 2, arcs)
	assert.Equal(t, maxLanes+2, all)
}

// drawn is a graph as text, as a terminal shows it.
func drawn(g Graph, glyphs Glyphs) []byte {
	var out strings.Builder
	for _, l := range g.Lines(10, glyphs) {
		fmt.Fprintf(&out, "%s %s %s", l.Lanes, l.Spec.ID, l.Spec.State())
		if len(l.Needs)+len(l.Back) > 0 {
			fmt.Fprintf(&out, " needs %v back %v", l.Needs, l.Back)
		}
		out.WriteString("\n")
	}
	return []byte(out.String())
}

// checkFormats reads what is written of a graph: SVG as XML, DOT and Mermaid by their lines.
func checkFormats(t *testing.T, g Graph) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(g.SVG(nil)))
	boxes := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, g.SVG(nil))
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "g" {
			boxes++
		}
	}
	assert.Equal(t, len(g.Specs), boxes)
	if got, want := bytes.Count(g.Mermaid(), []byte("\n")), 1+len(g.Specs)+len(g.Needs)+len(groups()); got != want {
		t.Errorf("Mermaid has %d lines, want %d:\n%s", got, want, g.Mermaid())
	}
	if got, want := bytes.Count(g.DOT(), []byte("\n")), 4+len(g.Specs)+len(g.Needs); got != want {
		t.Errorf("DOT has %d lines, want %d:\n%s", got, want, g.DOT())
	}
	for line := range bytes.Lines(g.DOT()) {
		if quotes := bytes.Count(bytes.ReplaceAll(bytes.ReplaceAll(line, []byte(`\\`), nil), []byte(`\"`), nil), []byte(`"`)); quotes%2 != 0 {
			t.Errorf("DOT has an open text: %s", line)
		}
	}
	assert.Equal(t, len(g.Specs), len(g.Lines(5, ASCII())))
}

// FuzzFormats: whatever a title and an id contain, every format has each spec once.
func FuzzFormats(f *testing.F) {
	f.Add("a\"b", "x]];\nend")
	f.Add("a\\", "\\\" -> x\r\n</title><script>")
	f.Add("\x00\xff", "#quot;`{}|`")
	f.Fuzz(func(t *testing.T, id, title string) {
		checkFormats(t, Graph{
			Specs: []Spec{{ID: id, Title: title, Status: title}, {ID: id + "2", Title: title, Status: Missing}},
			Needs: []Need{{Spec: id, Needs: id + "2", Kind: DependsOn}, {Spec: id, Needs: id, Kind: Member, Cycle: true}},
		})
	})
}

func TestSelect(t *testing.T) {
	t.Parallel()
	g := sampleGraph(t)
	for name, c := range map[string]struct {
		f    Filter
		want string
	}{
		"everything":                       {Filter{}, "001 002 003 004 005 005.1 005.2 006 007 008 009 010 gone none"},
		"around one":                       {Filter{Around: []string{"2026-11-26-002-bcd"}}, "001 002 004"},
		"around one that needs many":       {Filter{Around: []string{"2026-11-26-004-def"}}, "001 002 003 004 gone none"},
		"around one, one step":             {Filter{Around: []string{"2026-11-26-001-abc"}, Depth: 1}, "001 002 003"},
		"around one in a cycle":            {Filter{Around: []string{"2026-11-26-006-fgh"}}, "006 007"},
		"a label, with what is missing":    {Filter{Labels: []string{"ui"}}, "002 004 gone none"},
		"a status":                         {Filter{States: []string{"failed", "ready"}}, "003 002 009"},
		"blocked":                          {Filter{States: []string{"blocked"}}, "004 005.2 006 007 gone none"},
		"without what is done":             {Filter{WithoutDone: true}, "002 003 004 005 005.1 005.2 006 007 008 009 010 none"},
		"without what is done, around one": {Filter{WithoutDone: true, Around: []string{"2026-11-26-001-abc"}}, "001 002 003 004"},
		"done, and what it needed":         {Filter{States: []string{"completed"}}, "001"},
		"nothing":                          {Filter{Labels: []string{"unused"}}, ""},
	} {
		got := g.Select(c.f)
		var ids []string
		for _, s := range got.Specs {
			ids = append(ids, shortID(s.ID))
		}
		want := strings.Fields(c.want)
		slices.Sort(ids)
		slices.Sort(want)
		assert.True(t, slices.Equal(ids, want), "%s: got %q, want %q", name, ids, want)
		assert.True(t, got.Specs != nil, "%s: %v, want %v", name, ids, want)
		assert.True(t, got.Needs != nil, "%s: %v, want %v", name, ids, want)
		assert.False(t, slices.Contains(ids, "none") != slices.Contains(got.Missing, "none"), "%s: missing %v", name, got.Missing)
		assert.Equal(t, slices.Contains(ids, "006"), len(got.Cycles) > 0, "%s: cycles %v", name, got.Cycles)
		checkFormats(t, got)
	}
}

// TestSelect_missing: what only specs need that are left out is left out too.
func TestSelect_missing(t *testing.T) {
	t.Parallel()
	g := Of(specsOf(t, "a: status: completed; depends_on: [none, gone]", "b: depends_on: [other]"), nil)
	got := g.Select(Filter{WithoutDone: true})
	assert.Equal(t, 2, len(got.Specs))
	assert.Equal(t, "b", got.Specs[0].ID)
	assert.Equal(t, []string{"other"}, got.Missing)
	assert.Equal(t, []string{"none", "other"}, g.Missing)
}

// shortID is the number of an id of the sample.
func shortID(id string) string {
	rest, found := strings.CutPrefix(id, "2026-11-26-")
	if !found {
		return id
	}
	_, member, isMember := strings.Cut(rest, ".")
	if isMember {
		return rest[:3] + "." + member
	}
	return rest[:3]
}
