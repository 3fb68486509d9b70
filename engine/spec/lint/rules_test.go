package lint

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

const (
	criteria = "\n## Acceptance Criteria\n\n"
	one      = "# T\n" + criteria + "- [ ] it works\n"
)

// TestCheck_advice checks one rule at a time and ignores other findings.
func TestCheck_advice(t *testing.T) {
	t.Parallel()
	var long string
	for i := range 11 {
		long += "- [ ] case " + string(rune('a'+i)) + " is so\n"
	}
	for name, c := range map[string]struct {
		rule, front, body string
		want              []string
	}{
		"computed status":          {"status", "type: code\nstatus: ready", one, []string{"status warning 3"}},
		"kept status":              {"status", "status: pending", one, nil},
		"model of two words":       {"model", "model: claude opus", one, []string{"model warning 2"}},
		"model like a flag":        {"model", "model: --help", one, []string{"model warning 2"}},
		"model":                    {"model", "model: claude-opus-4-5", one, nil},
		"unknown key":              {"unknown_key", "status: pending\nlable: [a]", one, []string{"unknown_key warning 3"}},
		"keys of older chants":     {"unknown_key", "schedule: daily\nreplay_count: 1\noriginal_spec: a\npublic: false\nretry_state: {}", one, nil},
		"a key of the settings":    {"unknown_key", "x: 1\nverify: {pass: [TOKEN]}", one, []string{"unknown_key warning 2", "unknown_key warning 3"}},
		"keys of the settings":     {"unknown_key", "verify: {red_first: require, require: true, since: 2026-01-01, weakened: ask, prove: 30s, prove_when: after}", one, slices.Repeat([]string{"unknown_key warning 2"}, 6)},
		"keys that chant reads":    {"unknown_key", "priority: high\nprovider: x\nlast_verified: a\nreason: b", one, nil},
		"said twice":               {"duplicate_item", "x: 1\nlabels: [a, b, a]\ndepends_on: [a, a]", one, []string{"duplicate_item warning 4", "duplicate_item warning 3"}},
		"said once":                {"duplicate_item", "labels: [a, b]", one, nil},
		"a verb lacks":             {"criterion_verb", "", "# T\n" + criteria + "- [ ] Documentation\n- [ ] Tests `$ go test`\n- [ ] Docs updated\n- [ ] `foo()`\n- [ ] No warnings\n", []string{"criterion_verb warning 8", "criterion_verb warning 11"}},
		"a verb lacks, but done":   {"criterion_verb", "status: completed", "# T\n" + criteria + "- [x] Documentation\n", nil},
		"not asked for a verb":     {"criterion_verb", "", "# T\n" + criteria + "- [ ] Prüfung\n- [ ] a b c d e f\n", nil},
		"said the same":            {"duplicate_criterion", "", "# T\n" + criteria + "- [ ] it  works\n- [x] It works\n- [ ] it works `$ true`\n", []string{"duplicate_criterion warning 9"}},
		"boxes that do not count":  {"box", "", "# T\n" + criteria + "- [] a\n-[x] b\n- [ ]c\n* [ ] d\n- [x](link)\n- text [ ]\n```\n- [] code\n```\n\n## Else\n\n- [] e\n", []string{"box error 8", "box error 9", "box error 10", "box error 12", "box error 13"}},
		"items without a box":      {"box", "", "# T\n" + criteria + "- [ ] a\n  - of a\n  - of a `$ false`\n- b `$ false`\n1. c `$ false`\n\n- Group:\n  - [ ] d\n\nText `$ false`\n\n☐ e\n• [ ] f\n", []string{"box error 10", "box error 11", "box error 12", "box error 19", "box error 20", "box error 17"}},
		"items of another section": {"box", "", "# T\n\n- a\n" + criteria + "- [ ] b\n\n## Notes\n\n- c `$ false`\n", nil},
		"late front matter":        {"front_matter", "", "\n---\napproval:\n  required: true\n---\n" + one, []string{"front_matter error 5"}},
		"no first fence":           {"front_matter", "", "approval: {required: true}\nlabels:\n  - a\n---\n" + one, []string{"front_matter error 4"}},
		"no fence at all":          {"front_matter", "", "\napproval:\n  required: true\n\n" + one, []string{"front_matter error 5"}},
		"a fence with a language":  {"front_matter", "", "---yaml\napproval: {required: true}\n---\n" + one, []string{"front_matter error 4"}},
		"rules of asterisks":       {"front_matter", "", "***\napproval: {required: true}\n***\n" + one, []string{"front_matter error 4"}},
		"text behind front matter": {"front_matter", "status: pending", "error: database is locked\n  at open\n\n" + one, nil},
		"a rule below the title":   {"front_matter", "", "# T\n\n***\n\nstatus: done must be blue\n", nil},
		"a sentence with a colon":  {"front_matter", "", "status: this is text\nand not a key.\n\n" + one, nil},
		"a key in another case":    {"near_key", "status: pending\nApproval: {required: true}\ndepends-on: [zz]\nlable: [a]", one, []string{"near_key error 3", "near_key error 4"}},
		"keys that only inform":    {"near_key", "Created: 2026-01-02\nAgent: claude\nLog: x", one, nil},
		"an approval with a typo":  {"near_key", "approval: {requird: true}", one, []string{"near_key error 2"}},
		"another case, done":       {"near_key", "status: completed\nApproval: {required: true}", one, nil},
		"keys of others":           {"front_matter", "", "\n---\nNote: so\n---\n" + one, nil},
		"a comment without an end": {"unread", "", one + "\n<!--\n- [ ] y `$ false`\n", []string{"unread error 10"}},
		"a fence without an end":   {"unread", "", "# T\n\n```sh\necho\n" + criteria + "- [ ] y `$ false`\n", []string{"unread error 6"}},
		"a fence over the end":     {"unread", "", one + "\n```sh\n# a `$ x` b\necho\n", nil},
		"in a comment or a fence":  {"box", "", one + "\n<!-- - [ ] a `$ false` -->\n<!--\n- [ ] y `$ false`\n-->\n\n```\n- [ ] y `$ false`\n```\n", nil},
		"code by its indentation":  {"box", "", one + "\nText:\n\n    - [ ] y `$ false`\n", []string{"box error 12"}},
		"code by a tab":            {"box", "", "# T\n" + criteria + "\t- [ ] y\n", []string{"box error 8"}},
		"in HTML":                  {"box", "", one + "\n<details><summary>more</summary>\n- [ ] y `$ false`\n</details>\n\n<div>\n- [ ] z\n</div>\n", []string{"box error 11", "box error 15"}},
		"in HTML, with blanks":     {"box", "", one + "\n<details><summary>more</summary>\n\n- [ ] y `$ false`\n\n</details>\n", nil},
		"in a table":               {"box", "", one + "\n| a | b |\n|---|---|\n| `$ false` | y |\n| b | `$ false` |\n", []string{"box error 12", "box error 13"}},
		"a sentence":               {"box", "", one + "\nThe tests pass: `$ false`.\n\nRun `$ make` before that.\n", []string{"box error 10"}},
		"a criterion of two lines": {"box", "", "# T\n" + criteria + "- [ ] it works\n  with `$ true`\n- [ ] so `$ a`\n`$ b`\n", nil},
		"a block in a criterion":   {"box", "", one + "\n  So `$ false`\n", []string{"box error 10"}},
		"words behind the heading": {"box", "", "# T\n\n## Acceptance Criteria (draft)\n\n- [ ] a\n- [] b\n", []string{"box error 9"}},
		"below another heading":    {"unread", "", one + "\n## Gates\n\n- [ ] y `$ false`\n- [ ] z\n", []string{"unread error 12"}},
		"steps beside criteria":    {"unread", "", one + "\n## Tasks\n\n- [ ] y `$ make`\n\n## Gates\n\n- [x] seen with `$ make bug`\n", nil},
		"below an underlined one":  {"unread", "", one + "\nGates\n-----\n\n- [ ] y `$ false`\n", []string{"unread error 13"}},
		"text about commands":      {"box", "", "# T\n" + criteria + "All of these run after `$ make build`:\n\n- [ ] it works `$ true`\n\n  By hand: `$ make run`.\n\nFirst run `$ npm ci`\nand then look.\n\n> Start it with `$ make up`\n\n### Unit tests (`$ go test ./...`)\n\n- [ ] a\n\n| `$ chant list` | lists all |\n", nil},
		"a title about output":     {"box", "", "# Output the list as JSON\n" + criteria + "- [ ] a `$ true`\n\nSo: `$ false`\n", []string{"box error 10"}},
		"a title about criteria":   {"box", "", "# Acceptance criteria: show failed ones\n\n## Context\n\n- board.go draws them\n", nil},
		"in the output of a run":   {"unread", "", one + "\n## Agent Output\n\n- [ ] y `$ false`\n\n<!--\n- [ ] a\n", nil},
		"hidden, but done":         {"box", "status: completed", one + "\n    - [ ] y `$ false`\n\n| `$ a` |\n", nil},
		"near headings":            {"unread", "", "# T\n\n## **Acceptance Criteria**\n\n- [ ] a\n\n## Acceptence criteria:\n\n- [ ] b\n\n**Acceptance criteria**\n\n- [ ] c\n\n## Else\n\n- [ ] d\n", []string{"unread error 6", "unread error 10"}},
		"other words":              {"unread", "", "# T\n\n## Definition of Done\n\n- [ ] a\n", []string{"unread error 6"}},
		"other words beside":       {"unread", "", one + "\n## Definition of Done\n\n- [ ] a\n", nil},
		"no heading":               {"unread", "", "# T\n\n- [ ] a\n\n## Tasks\n\n- [ ] b\n", []string{"unread error 6"}},
		"no heading, but commands": {"unread", "verify: ['true']", "# T\n\n- [ ] a\n", nil},
		"no boxes below":           {"unread", "", "# T\n\n**Acceptance Criteria:** see above\n\nAcceptance criteria:\n\n- a\n", nil},
		"near headings, done":      {"unread", "status: completed", "# T\n\n**Acceptance Criteria**\n\n- [x] a\n", nil},
		"boxes, but done":          {"box", "status: cancelled", "# T\n" + criteria + "- [] a\n", nil},
		"empty command":            {"empty_command", "", "# T\n" + criteria + "- [ ] it works `$ `\n- [ ] it runs `$`\n- [ ] so `$ true` `$   `\n", []string{"empty_command error 8", "empty_command error 10"}},
		"empty command, but done":  {"empty_command", "status: completed", "# T\n" + criteria + "- [x] it works `$ `\n", nil},
		"entries that mean none":   {"entry", "tracks: ['[a']\norigin: [../x, /etc]\ninformed_by: ['']\ntarget_files: [a]", one, []string{"entry warning 2", "entry warning 3", "entry warning 3", "entry warning 4"}},
		"entries":                  {"entry", "tracks: ['[ab]*', src/, ./x, 'a/**']\ntarget_files: ['{a,b}.go', 'app/[id]/page.tsx']", one, nil},
		"entries, done":            {"entry", "status: completed\ntracks: ['[a']", one, []string{"entry warning 3"}},
		"near commands":            {"near_command", "", "# T\n" + criteria + "- [ ] it works `$false`\n- [ ] it works ` $ false`\n- [ ] it works `$ false` (slow)\n- [ ] it works `$./run.sh -v`.\n", []string{"near_command warning 8", "near_command warning 9", "near_command warning 10", "near_command warning 11"}},
		"commands":                 {"near_command", "", "# T\n" + criteria + "- [ ] it works `$ false`\n- [ ] `$HOME` is kept\n- [ ] `$path` is kept\n- [ ] it keeps `$HOME`\n- [ ] it prints `$5` and `${x}`\n- [ ] `$path` is what `f` returns\n- [ ] it works `$ a` `$ b`.\n", nil},
		"near commands, done":      {"near_command", "status: completed", "# T\n" + criteria + "- [x] it works `$false`\n", nil},
		"lost exits":               {"lost_exit", "verify: {commands: ['make check || true']}", "# T\n" + criteria + "- [ ] it works `$ make check`\n- [ ] it works `$ sh x.sh &`\n", []string{"lost_exit warning 9", "lost_exit warning 2"}},
		"docs without both":        {"documentation", "type: documentation", one, []string{"documentation warning 2", "documentation warning 2"}},
		"docs, done":               {"documentation", "type: documentation\nstatus: completed\ntarget_files: [a]", one, []string{"documentation warning 2"}},
		"docs with both":           {"documentation", "type: documentation\ntracks: [a]\ntarget_files: [b]", one, nil},
		"docs, cancelled":          {"documentation", "type: documentation\nstatus: cancelled", one, nil},
		"research without both":    {"research", "type: research", one, []string{"research warning 2", "research warning 2"}},
		"research from an origin":  {"research", "type: research\norigin: [a]\ntarget_files: [b]", one, nil},
		"research informed":        {"research", "type: research\ninformed_by: [a]\ntarget_files: [b]", one, nil},
		"empty driver":             {"driver", "type: driver\nmembers: []", titled, []string{"driver warning 2"}},
		"empty group":              {"driver", "type: group", titled, []string{"driver warning 2"}},
		"driver with members":      {"driver", "type: driver\nmembers: [a]", titled, nil},
		"driver, done":             {"driver", "type: driver\nstatus: completed", titled, nil},
		"many criteria":            {"complexity_criteria", "", "# T\n" + criteria + long, []string{"complexity_criteria warning 1"}},
		"many criteria, but done":  {"complexity_criteria", "status: completed", "# T\n" + criteria + long, nil},
		"many criteria in output":  {"complexity_criteria", "", one + "\n## Agent Output\n\n### Acceptance Criteria\n\n" + long, nil},
		"many files":               {"complexity_files", "target_files: [a, b, c, d, e, f]", one, []string{"complexity_files warning 1"}},
		"some files":               {"complexity_files", "target_files: [a, b, c, d, e]", one, nil},
		"many words are not asked": {"complexity_words", "", "# T\n" + strings.Repeat("word ", 200), nil},
		"mentions another":         {"coupling", "", one + "\nSee 2026-01-01-001-abc and 2026-01-01-001-abc.\n\n```\n2026-01-01-002-abc\n```\nAlso 2026-01-01-009-zzz.\n", []string{"coupling warning 10"}},
		"mentions what it awaits":  {"coupling", "depends_on: 2026-01-01-001-abc", one + "\nSee 2026-01-01-001-abc.\n", nil},
		"costly for a trifle":      {"model_waste", "model: claude-opus-4", one, []string{"model_waste warning 2"}},
		"costly, three words":      {"model_waste", "model: Sonnet", "# A long title of the spec\nDo it now.\n", []string{"model_waste warning 2"}},
		"costly, four words":       {"model_waste", "model: sonnet", "# T\nDo it now, please.\n", nil},
		"costly, two criteria":     {"model_waste", "model: sonnet", "# T\n" + criteria + "- [ ] a\n- [ ] b\n", nil},
		"costly research":          {"model_waste", "model: opus\ntype: research", one, nil},
		"cheap":                    {"model_waste", "model: haiku", one, nil},
		"priority":                 {"priority", "status: pending\npriority: soon", one, []string{"priority error 3"}},
		"labels no machine has":    {"runs_on", "type: code\nruns_on: [gpu, 'a b', '', größe]", one, []string{"runs_on error 3", "runs_on error 3", "runs_on error 3"}},
		"tests for nobody":         {"red_for", "red_for: 2026-01-02-009-zzz", one, []string{"red_for error 2"}},
		"labels of machines":       {"runs_on", "runs_on: [gpu, linux/arm64, 'cuda:12.4', a_b-c]", one, nil},
		"one label of a machine":   {"runs_on", "runs_on: gpu", one, nil},
		"the same label twice":     {"duplicate_item", "runs_on: [gpu, gpu]", one, []string{"duplicate_item warning 2"}},
		"keys of a task":           {"task", "task: AUTH\ndue_date: someday\neffort: much\nrelationships: {parent: lost}", one, []string{"task warning 2", "task warning 3", "task warning 4", "task warning 5"}},
		"comments, in other words": {"task", "comments: soon", one, []string{"task warning 2"}},
		"a whole task":             {"task", "task: AUTH-1\ndue_date: 2026-12-01\neffort: 3pt\ncomments: [{date: 2026-01-01, text: a}]", one, nil},
	} {
		s := read(t, "x", c.front, c.body)
		p := among(t, s, read(t, "2026-01-01-001-abc", "", one), read(t, "2026-01-01-002-abc", "", one))
		found := slices.DeleteFunc(p.Check(s), func(f Finding) bool { return f.Rule != c.rule })
		assert.Equal(t, c.want, brief(t, s, found), "%s: %+v", name, found)
	}
}

// Unticked boxes of a completed or in_progress spec are reported, but not while a run is at work on it.
func TestCheck_openBoxes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, branch string
		want           []string
	}{
		{"completed", "", []string{"open_criterion warning 8", "open_criterion warning 9"}},
		{"in_progress", "", []string{"open_criterion warning 8"}},
		{"in_progress", "chant/x", nil},
		{"pending", "", nil},
		{"cancelled", "", nil},
	} {
		s := read(t, "x", "status: "+c.status, "# T\n"+criteria+"- [ ] a is so\n- [ ] b is so\n- [x] c is so\n")
		s.Branch = c.branch
		assert.Equal(t, c.want, brief(t, s, among(t, s).Check(s)), "%s on %q", c.status, c.branch)
	}
}

// A dependency on an archived completed spec is accepted.
func TestCheck_archivedDependency(t *testing.T) {
	t.Parallel()
	s := read(t, "x", "depends_on: [gone, a, none]", whole)
	found := among(t, s).Check(s)
	assert.Equal(t, []string{"dependency error 2"}, brief(t, s, found))
	assert.Contains(t, found[0].Message, `"none"`)
}

// Lint reports the path of a cycle, and ends.
func TestCheck_cycle(t *testing.T) {
	t.Parallel()
	a, b, c := read(t, "p", "depends_on: q", whole), read(t, "q", "depends_on: r", whole), read(t, "r", "depends_on: p", whole)
	p := &Project{Graph: spec.GraphOf([]*spec.File{a, b, c}, nil), Settings: Defaults()}
	for _, s := range []*spec.File{a, b, c} {
		found := p.Check(s)
		assert.Equal(t, 1, len(found), "%s", s.ID)
		assert.Equal(t, "cycle", found[0].Rule, "%s", s.ID)
		assert.Contains(t, found[0].Message, "p -> q -> r -> p", "%s", s.ID)
	}
}

func TestCheck_members(t *testing.T) {
	t.Parallel()
	body := "# T\n\nAs 2026-01-01-001-abc.2 and 2026-01-01-002-abc say.\n" + criteria + "- [ ] it works\n"
	s := read(t, "2026-01-01-001-abc.1", "", body)
	p := among(t, s, read(t, "2026-01-01-001-abc", "type: driver", titled+"See 2026-01-01-002-abc."), read(t, "2026-01-01-001-abc.2", "", one), read(t, "2026-01-01-002-abc", "", one))
	found := p.Check(s)
	assert.Equal(t, 1, len(found), "a member may mention all but its siblings")
	assert.Equal(t, "coupling", found[0].Rule, "a member may mention all but its siblings")
	assert.Contains(t, found[0].Message, "001-abc.2", "a member may mention all but its siblings")
	found = p.Check(p.Graph.Spec("2026-01-01-001-abc").File())
	assert.Zero(t, found, "a driver may mention any: %+v", found)
}

func TestCheck_required(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]int{
		"ticket: A-1\nowner: ann": 0, "ticket: A-1": 1, "ticket: ''\nowner: [ ]": 2, "ticket:\nowner: {}": 2,
		"ticket: 0\nowner: false": 0, "status: completed": 2, "status: cancelled": 0,
	} {
		s := read(t, "x", front, whole)
		p := among(t, s)
		p.Settings.Required = []string{"ticket", "owner"}
		found := slices.DeleteFunc(p.Check(s), func(f Finding) bool { return f.Rule != "required" })
		assert.Equal(t, want, len(found), "%q: %+v", front, found)
		assert.Equal(t, want, len(p.BlockingErrors(s)), "%q: %+v", front, found)
	}
}

func TestCheck_world(t *testing.T) {
	t.Parallel()
	front := "provider: nobody\ncontext: [docs/a.md]\noutput_schema: schemas/a.json\ntarget_files: [tools/new.sh]\nverify: {dir: sub, commands: [{run: lost it, dir: else}]}"
	body := "# T\n" + criteria + "- [ ] a is so `$ nowhere --x` `$ nowhere -y`\n- [ ] b is so `$ CGO_ENABLED=0 ! gofmt -l .`\n" +
		"- [ ] c is so `$ cd x && nowhere`\n- [ ] d is so `$ tools/new.sh`\n- [ ] e is so `$ \"$HOME/x\" y`\n- [ ] f is so `$ tools/old.sh`\n"
	s := read(t, "x", front, body)
	p := among(t, s)
	if found := p.Check(s); len(found) != 0 {
		t.Errorf("checks without functions: %+v", found)
	}
	var asked []string
	p.World = World{
		Command: func(word, dir string) bool {
			asked = append(asked, path.Join(dir, word))
			return word == "gofmt"
		},
		Schema:   func(path string) error { return errors.New("is no JSON: " + path) },
		Provider: func(name string) error { return errors.New("no provider " + name) },
		Context:  func(path string) error { return errors.New("is not there: " + path) },
	}
	found := p.Check(s)
	want := []string{"output_schema error 4", "provider warning 2", "context warning 3", "dead_command warning 12", "dead_command warning 17", "dead_command warning 6"}
	assert.Equal(t, want, brief(t, s, found), "%+v", found)
	assert.Equal(t, []string{"sub/nowhere", "sub/gofmt", "sub/tools/old.sh", "else/lost"}, asked)
	assert.Equal(t, []string{"output_schema error 4"}, brief(t, s, p.BlockingErrors(s)))
}

func TestCheck_inputs(t *testing.T) {
	t.Parallel()
	s := read(t, "x", "target_files: [new]\nverify: {inputs: [web, wbe, auto], commands: [{run: make, inputs: [web, new/a, lost]}]}", one)
	p := among(t, s)
	p.World = World{Matches: func(glob string) bool { return glob == "web" }}
	var got []string
	for _, f := range p.Check(s) {
		if f.Rule == "unmatched_input" {
			got = append(got, f.Message)
		}
	}
	assert.Equal(t, []string{`verify.inputs: "lost" matches no file`, `verify.inputs: "wbe" matches no file`}, got)
}

func TestProgramOf(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"go test ./...": "go", "A=1 B=x go": "go", "! grep x": "grep", "exec ./run": "./run", "cd x": "", "[ -f x ]": "", "(a)": "", "$X y": "", "'a b' c": "",
		"": "", "A=1": "", "A='x y' go": "", "if true": "", "a;b": "", "time make": "make", "git\tlog": "git",
	} {
		assert.Equal(t, want, programOf(line), "program of %q", line)
	}
}

// Only rules that are listed as stopping work do so, and not if the project made them a warning.
func TestObstacles(t *testing.T) {
	t.Parallel()
	s := read(t, "x", "type: poem\ndepends_on: none\nlabels: [a, a]", "")
	p := among(t, s)
	p.Settings.Severity = map[string]Severity{"type": Error, "title": Warning}
	assert.Equal(t, []string{"dependency error 3"}, brief(t, s, p.BlockingErrors(s)))
}

func TestSettings(t *testing.T) {
	t.Parallel()
	s := read(t, "x", "type: poem\ndepends_on: none\nstatus: completed", "words words\n")
	p := among(t, s)
	p.Settings.Severity = map[string]Severity{"type": Off, "title": Warning, "dependency": Error}
	assert.Equal(t, []string{"title warning 1", "dependency error 3"}, brief(t, s, p.Check(s)))
	s = read(t, "x", "target_files: [a, b]", "# T\n\nfour more words here\n"+criteria+"- [ ] it works\n- [ ] it runs\n")
	p = among(t, s)
	p.Settings.Thresholds, p.Settings.Severity = Thresholds{Criteria: 1, Files: 1, Words: 3}, map[string]Severity{"complexity_words": Error}
	assert.Equal(t, []string{"complexity_criteria warning 1", "complexity_files warning 1", "complexity_words error 1"}, brief(t, s, p.Check(s)))
	p.Settings.Thresholds = Thresholds{}
	found := p.Check(s)
	assert.Zero(t, found, "0 is no limit: %+v", found)
	p.Settings.Severity = map[string]Severity{"complexity_word": Off, "titel": Off, "quite_another": Off, "cycle": Off}
	got := p.Settings.UnknownRules()
	assert.Equal(t, 3, len(got))
	assert.Equal(t, "complexity_words", got["complexity_word"])
	assert.Equal(t, "title", got["titel"])
	assert.Equal(t, "", got["quite_another"])
}

// Every rule has a sentence, and no two have the same name.
func TestRules(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range Rules() {
		assert.NotEqual(t, "", r.Text)
		assert.False(t, seen[r.ID], "%+v", r)
		assert.Equal(t, "", strings.Trim(r.ID, "abcdefghijklmnopqrstuvwxyz_"))
		assert.False(t, r.Stops && r.Severity != Error, "%+v", r)
		seen[r.ID] = true
	}
}

// Every rule has a case in the tests. Package linter reports files that cannot be read, settings and prompts; the
// stories of lint check these rules.
func TestRules_haveCases(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*_test.go")
	assert.NoError(t, err, "%v", names)
	assert.NotEqual(t, 0, len(names), "%v", names)
	var all strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		assert.NoError(t, err)
		all.Write(text)
	}
	for _, r := range Rules() {
		if slices.Contains([]string{ParseRule, DuplicateKeyRule, IDRule, ConfigRule, PromptRule, TemplateRule, RulesRule, AlreadyTrueRule}, r.ID) {
			continue
		}
		if !regexp.MustCompile(`"` + r.ID + `("| (error|warning) \d)`).MatchString(all.String()) {
			t.Errorf("no test has a case of the rule %q", r.ID)
		}
	}
}

// Held-out criteria count wherever they are, and are worth a warning where a commit has them in the clear.
func TestCheck_heldOut(t *testing.T) {
	t.Parallel()
	const section = "\n## Held-out Criteria\n\n- [ ] It works `$ ls`\n"
	for name, tt := range map[string]struct {
		body     string
		has      bool
		readable string
		want     []string
	}{
		"beside the spec": {"# A title\n", true, "", nil},
		"readable":        {"# A title\n", true, "abc1234", []string{"held_out warning 1"}},
		"not moved yet":   {"# A title\n" + section, false, "", nil},
		"none":            {"# A title\n", false, "", []string{"criteria warning 1"}},
	} {
		s := read(t, "x", "type: code", tt.body)
		p := among(t, s)
		p.World.HeldOut = func(*spec.File) (bool, string) { return tt.has, tt.readable }
		assert.Equal(t, tt.want, brief(t, s, p.Check(s)), "%s", name)
	}
}

// A guard is the number of a criterion that the spec has.
func TestCheck_guards(t *testing.T) {
	t.Parallel()
	for front, want := range map[string][]string{"guards: 1": nil, "guards: all": nil, "guards: [1, 9]": {"guards warning 1"}} {
		s := read(t, "x", "type: code\n"+front, whole)
		assert.Equal(t, want, brief(t, s, among(t, s).Check(s)), "%s", front)
	}
}

// Only a spec that the provider shell works needs a script.
func TestCheck_script(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		whole: {"script warning 1"},
		whole + "\n## Script\n\n```sh\ntrue\n```\n":     nil,
		whole + "\n## Script\n\n```python\npass\n```\n": {"script warning 1"},
	} {
		s := read(t, "x", "type: code", body)
		p := among(t, s)
		for _, shell := range []bool{true, false} {
			p.World.Shell = func(*spec.File) bool { return shell }
			got := brief(t, s, p.Check(s))
			assert.False(t, shell && !slices.Equal(got, want), "worked by the shell: %v: %q, want %q\n%s", shell, got, want, body)
			assert.False(t, !shell && len(got) > 0, "worked by the shell: %v: %q, want %q\n%s", shell, got, want, body)
		}
	}
}

// A context file is not checked if a spec that is waited for may create it, or if the spec is done.
func TestCheck_contextInTime(t *testing.T) {
	t.Parallel()
	first := read(t, "2026-01-01-001-aaa", "target_files: [docs/a.md]", "# First\n")
	for front, want := range map[string]int{
		"context: [docs/a.md, docs/b.md]":                                   2,
		"context: [docs/a.md]\ndepends_on: [2026-01-01-001-aaa]":            0,
		"context: [docs/a.md]\nstatus: completed":                           0,
		"context: [docs/a.md]\napproval: {required: true, status: pending}": 1,
	} {
		s := read(t, "2026-01-01-002-bbb", front, "# Second\n")
		p := among(t, s, first)
		p.World.Context = func(string) error { return errors.New("does not exist") }
		found := slices.DeleteFunc(p.Check(s), func(f Finding) bool { return f.Rule != "context" })
		assert.Equal(t, want, len(found), "%q: %+v", front, found)
	}
}
