package spec

import (
	"strings"
	"testing"

	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func page(t testing.TB, body string) *markdown.Document {
	t.Helper()
	doc, err := markdown.Parse("page.md", []byte(body))
	assert.NoError(t, err)
	return doc
}

// criteria parses a document with these criteria.
func criteria(t testing.TB, items ...string) []Criterion {
	t.Helper()
	return Criteria(page(t, "## Acceptance Criteria\n\n"+strings.Join(items, "\n")+"\n"))
}

func TestCriteria_commands(t *testing.T) {
	t.Parallel()
	for item, want := range map[string][]string{
		"- [ ] It is nice":                              nil,
		"- [ ] Tests pass `$ go test ./...`":            {"go test ./..."},
		"- [ ] Both `$ make lint`, `$ make test`.":      {"make lint", "make test"},
		"- [ ] Code `like this` is no command":          nil,
		"- [ ] Ends in `code`":                          nil,
		"- [ ] Mentions `$ make` and goes on":           nil,
		"- [ ] An empty one `$ `":                       {""},
		"- [ ] A price `$5`":                            nil,
		"- [ ] Backticks ``$ echo `date` ``":            {"echo `date`"},
		"- [ ] A word `chant` then `$ chant lint`":      {"chant lint"},
		"- [ ] Over two lines\n  `$ go vet ./...`":      {"go vet ./..."},
		"- [x] Ticked boxes keep theirs `$ true`":       {"true"},
		"- [ ] Pipes and quotes `$ grep -q 'a|b' x; :`": {"grep -q 'a|b' x; :"},
	} {
		all := criteria(t, item)
		assert.Equal(t, 1, len(all), "%s", item)
		assert.Equal(t, want, all[0].Commands, "%s", item)
		assert.Equal(t, want != nil, all[0].Runs(), "%s", item)
	}
}

// Examples in a longer fence, a fence of tildes, a quote or a comment are not criteria, whatever headings and boxes
// they contain.
func TestCriteria_notInExamples(t *testing.T) {
	t.Parallel()
	example := "## Acceptance Criteria\n\n- [x] easy `$ true`\n"
	quoted := "> " + strings.ReplaceAll(strings.TrimSuffix(example, "\n"), "\n", "\n> ") + "\n"
	for name, text := range map[string]string{
		"fence": "```md\n" + example + "```\n", "waves": "~~~\n" + example + "```\n~~~\n", "longer": "````\n```\n" + example + "````\n",
		"comment": "<!--\n" + example + "-->\n", "open to the end": "```\n" + example, "quote": quoted,
	} {
		s := read(t, "x", "", "# T\n\n## Acceptance Criteria\n\n- [ ] hard\n\n## Output\n\n"+text)
		all := Criteria(s.Doc)
		assert.Equal(t, 1, len(all), "%s", name)
		assert.Equal(t, "hard", all[0].Text, "%s", name)
	}
}

func TestCriteria_numbersAndLines(t *testing.T) {
	t.Parallel()
	all := Criteria(page(t, "# T\n\n- [ ] elsewhere\n\n### ACCEPTANCE criteria\n\n- [x] one\n  - [ ] nested\n\n<!-- - [ ] hidden -->\n\n#### More\n\n3. [ ] two\n\n## Next\n\n- [ ] not here\n"))
	var got []string
	for i, c := range all {
		assert.Equal(t, i+1, c.Number)
		got = append(got, c.Text)
	}
	assert.Equal(t, []string{"one", "nested", "two"}, got)
	assert.Equal(t, 7, all[0].Line)
	assert.Equal(t, 14, all[2].Line)
	assert.True(t, all[0].Checked, "%+v", all)
	assert.False(t, all[1].Checked, "%+v", all)
}

func ids(all []Criterion) map[string]string {
	out := map[string]string{}
	for _, c := range all {
		out[c.Text] += c.ID + " "
	}
	return out
}

func TestCriteria_idsSurviveReordering(t *testing.T) {
	t.Parallel()
	a := ids(criteria(t, "- [ ] one", "- [ ] two `$ true`", "- [ ] three"))
	b := ids(criteria(t, "* [x] three", "* [ ] two `$ true`", "* [ ] zero", "* [X] one"))
	for text, id := range a {
		assert.Equal(t, id, b[text], "%q has id", text)
	}
}

func TestCriteria_duplicates(t *testing.T) {
	t.Parallel()
	all := criteria(t, "- [ ] same", "- [ ] other", "- [x] same", "- [ ] same")
	first := all[0].ID
	assert.Equal(t, first+"-2", all[2].ID)
	assert.Equal(t, first+"-3", all[3].ID)
	assert.NotEqual(t, first, all[1].ID)
}

func TestCheck_oneBytePerBox(t *testing.T) {
	t.Parallel()
	src := "---\r\nstatus: pending # so\r\n---\r\n## Acceptance Criteria\r\n\r\n- [ ] one\r\n* [X] two\r\n- [ ] three\r\n"
	doc := page(t, src)
	all := Criteria(doc)
	got, err := Check(doc, map[string]bool{all[0].ID: true, all[1].ID: false})
	assert.NoError(t, err)
	want := strings.NewReplacer("[ ] one", "[x] one", "[X] two", "[ ] two").Replace(src)
	assert.Equal(t, want, string(got.Bytes()))
	same, err := Check(doc, map[string]bool{all[1].ID: true, all[2].ID: false})
	assert.NoError(t, err, "%q", same.Bytes())
	assert.Equal(t, len(src), len(same.Bytes()), "%q", same.Bytes())
}

func TestCheck_unknownCriterion(t *testing.T) {
	t.Parallel()
	doc := page(t, "## Acceptance Criteria\n\n- [ ] one\n")
	id := Criteria(doc)[0].ID
	got, err := Check(doc, map[string]bool{id: true, "nope": true})
	assert.Error(t, err)
	assert.True(t, got == nil, "%v, %v", got, err)
	assert.Contains(t, err.Error(), `1 of 2 criteria are not in "page.md"`)
	got, err = Check(doc, nil)
	assert.NoError(t, err, "nothing to tick")
	assert.True(t, got == doc, "nothing to tick: %v", err)
}

func TestTampering_kinds(t *testing.T) {
	t.Parallel()
	start := []string{"- [ ] it is fast", "- [ ] tests pass `$ go test ./...`", "- [ ] twice", "- [ ] twice"}
	for name, c := range map[string]struct {
		now  []string
		want []int // numbers of the start
	}{
		"nothing":    {start, nil},
		"ticked":     {[]string{"- [x] it is fast", "- [X] tests pass `$ go test ./...`", "- [x] twice", "- [ ] twice"}, nil},
		"spaces":     {[]string{"*   [ ] it  is   fast", "- [ ] tests pass `$ go test ./...`", "- [ ] twice", "- [ ] twice"}, nil},
		"added":      {append([]string{"- [ ] new"}, start...), nil},
		"reordered":  {[]string{start[3], start[1], start[0], start[2]}, nil},
		"removed":    {start[1:], []int{1}},
		"reworded":   {[]string{"- [ ] it is slow", start[1], start[2], start[3]}, []int{1}},
		"re-command": {[]string{start[0], "- [ ] tests pass `$ true`", start[2], start[3]}, []int{2}},
		"no command": {[]string{start[0], "- [ ] tests pass", start[2], start[3]}, []int{2}},
		"one of two": {start[:3], []int{4}},
		"everything": {nil, []int{1, 2, 3, 4}},
		"fenced off": {[]string{"```", start[0], "```", start[1], start[2], start[3]}, []int{1}},
	} {
		got := Tampering(criteria(t, start...), criteria(t, c.now...))
		if len(got) != len(c.want) {
			t.Errorf("%s: %q", name, got)
			continue
		}
		for i, n := range c.want {
			assert.HasPrefix(t, got[i], "criterion "+string(rune('0'+n))+" was removed or reworded: ", "%s: %d", name, n)
		}
	}
}

func TestWeakenedChecks(t *testing.T) {
	t.Parallel()
	read := func(front, body string) *File {
		t.Helper()
		s, err := Parse("x", "x.md", []byte("---\n"+front+"\n---\n# X\n\n## Acceptance Criteria\n\n"+body))
		assert.NoError(t, err)
		return s
	}
	was := read("verify: [make lint]", "- [ ] it works `$ make test`\n")
	for name, c := range map[string]struct {
		now  *File
		want int
	}{
		"ticked, and said otherwise": {read("verify: {commands: [$ make lint]}\nlabels: a", "- [x] it works `$ make test`\n- [ ] more\n"), 0},
		"another command":            {read("verify: [make lint]", "- [ ] it works `$ true`\n"), 1},
		"no commands of the spec":    {read("labels: a", "- [ ] it works `$ make test`\n"), 1},
		"both":                       {read("verify: {commands: [make lint], retries: 3}", "- [ ] it works\n"), 2},
	} {
		got := WeakenedChecks(was, c.now)
		assert.Equal(t, c.want, len(got), "%s: %q", name, got)
	}
}

// A box that was ticked after the criterion had failed decides, where no command does.
func TestCriteria_tickedSince(t *testing.T) {
	t.Parallel()
	f, err := Parse("a", "a.md", []byte("---\nverification_failures: [by hand, by command `$ false`, open]\n---\n# T\n\n## Acceptance Criteria\n\n- [x] by hand\n- [x] by command `$ false`\n- [ ] open\n"))
	assert.NoError(t, err)
	var got []bool
	for _, c := range f.Criteria() {
		got = append(got, c.Failed)
	}
	assert.Equal(t, []bool{false, true, true}, got)
}
