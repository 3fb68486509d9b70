package criteria

import (
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

func itemWith(line string, o spec.CommandOptions) Item {
	return Item{ID: "a", Number: 1, Source: FromCriteria, Steps: []Step{{line, o, FromCriteria}}}
}

func TestItem_Inputs(t *testing.T) {
	t.Parallel()
	globs := spec.StringList{"web", "lib/*.ts"}
	added, hidden := itemWith("true", spec.CommandOptions{Inputs: globs}), itemWith("true", spec.CommandOptions{Inputs: globs})
	added.Added, hidden.Source = true, FromHeldOut
	two := itemWith("true", spec.CommandOptions{Inputs: globs})
	two.Steps = append(two.Steps, Step{"false", spec.CommandOptions{Inputs: spec.StringList{"web", "x"}}, FromCriteria})
	open := itemWith("true", spec.CommandOptions{Inputs: globs})
	open.Steps = append(open.Steps, Step{Line: "false"})
	for name, c := range map[string]struct {
		item Item
		want []string
	}{
		"globs":                  {itemWith("true", spec.CommandOptions{Inputs: globs}), []string{"lib/*.ts", "web"}},
		"none":                   {itemWith("true", spec.CommandOptions{}), nil},
		"a box":                  {Item{ID: "a"}, nil},
		"added during the run":   {added, nil},
		"held-out":               {hidden, nil},
		"two commands":           {two, []string{"lib/*.ts", "web", "x"}},
		"one command without":    {open, nil},
		"a variable":             {itemWith("true", spec.CommandOptions{Inputs: globs, Env: map[string]string{"A": "1"}}), []string{"lib/*.ts", "web"}},
		"a variable, as printed": {itemWith("true", spec.CommandOptions{Inputs: globs, Env: map[string]string{"A": "$ cat VERSION"}}), nil},
	} {
		assert.Equal(t, c.want, c.item.Inputs(), name)
	}
}

func TestItem_Reads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, dir, file string
		want            bool
	}{
		{"sh check.sh", "", "check.sh", true},
		{"./check.sh --all", "", "check.sh", true},
		{"./check.sh", "tools", "tools/check.sh", true},
		{"../check.sh", "tools", "check.sh", true},
		{"sh check.sh", "", "tools/check.sh", true}, // a command may go there first
		{"sh check.sh", "", "other.sh", false},
		{"cat x && ./a/b.sh|cat", "", "a/b.sh", true},
		{"true", "", "web/a.ts", true},
		{"true", "", "api/a.ts", false},
		{"true", "", ".chant/specs/other.md", false},
		{"true", "", ".chant/sprints/1.md", true},
	} {
		item := itemWith(c.line, spec.CommandOptions{Dir: c.dir, Inputs: spec.StringList{"web/**", "**/*.md", ".chant/sprints"}})
		assert.Equal(t, c.want, item.Reads(c.file, "id"), "`%s` in %q reads %q", c.line, c.dir, c.file)
	}
}

// TestReport_Find: only what a command has shown without ever failing counts for another tree.
func TestReport_Find(t *testing.T) {
	t.Parallel()
	ran := func(change func(*Verdict)) Verdict {
		v := Verdict{ID: "a", Number: 3, How: ByRunning, Holds: true, Evidence: []Evidence{{Command: "true"}}}
		change(&v)
		return v
	}
	for name, c := range map[string]struct {
		verdict Verdict
		tree    string // "" = it does not count
	}{
		"it holds":       {ran(func(*Verdict) {}), "t1"},
		"kept before":    {ran(func(v *Verdict) { v.Evidence[0].Tree = "t0" }), "t0"},
		"it failed":      {ran(func(v *Verdict) { v.Holds = false }), ""},
		"it is flaky":    {ran(func(v *Verdict) { v.Flaky = true }), ""},
		"a box":          {ran(func(v *Verdict) { v.How = ByBox }), ""},
		"nothing ran":    {ran(func(v *Verdict) { v.Evidence = nil }), ""},
		"another's item": {ran(func(v *Verdict) { v.ID = "b" }), ""},
	} {
		v, tree, ok := Report{Tree: "t1", Criteria: []Verdict{c.verdict}}.Find(Item{ID: "a", Number: 1})
		assert.Equal(t, c.tree != "", ok, name)
		assert.Equal(t, c.tree, tree, name)
		if ok {
			assert.Equal(t, c.tree, v.Evidence[0].Tree, name)
			assert.Equal(t, 1, v.Number, name)
		}
	}
}

func TestReport_Join(t *testing.T) {
	t.Parallel()
	ran := func(n int, proof Proof) Verdict {
		return Verdict{ID: string(rune('a' + n)), Number: n, How: ByRunning, Holds: true, Proof: proof}
	}
	plan := Plan{Items: []Item{{ID: "b"}, {ID: "c"}, {ID: "d"}}}
	known := []Verdict{ran(1, FailToPass), ran(3, PassToPass)}
	assert.Equal(t, []Item{{ID: "c"}}, plan.Without(known).Items)
	r := Report{Criteria: []Verdict{ran(2, PassToPass)}, Verdict: RegressionOnly}
	r.Join(known, true)
	assert.Equal(t, []int{1, 2, 3}, []int{r.Criteria[0].Number, r.Criteria[1].Number, r.Criteria[2].Number})
	assert.Equal(t, Verified, r.Verdict)
	assert.True(t, r.Verified)
}
